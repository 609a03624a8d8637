import Foundation

/// The rows of commands: start-up, `show` and `add`, with few items and with many.
struct CommandRows {
  private static let few = 100
  private static let many = 100_000

  let peers: [any Peer]
  let rounds: Int
  let scratch: Scratch

  /// Prepares every peer's data and measures.
  func measure() throws -> [Row] {
    let startUp = try startUpRow()
    for size in [Self.few, Self.many] { try prepare(SampleItems(count: size)) }
    return [startUp] + (try addRows()) + (try showRows())
  }

  private func startUpRow() throws -> Row {
    Progress.tell("Start-up, \(rounds) rounds …")
    let entrants = peers.map { Entrant(peer: $0.name, command: $0.startUp) }
    var row = Row("start-up: `--version`", try Contest(entrants: entrants, rounds: rounds).measured())
    row.hold(to: "Taskwarrior", atMost: 0.7)
    return row
  }

  private func showRows() throws -> [Row] {
    let entrants = try contest("show") { $0.showNext(in: $1) }
    let few = row("`show -n 20`", Self.few, entrants)
    var many = row("`show -n 20`", Self.many, entrants)
    many.hold(to: "sqlite3 shell", atMost: 1.5)
    return [few, many]
  }

  private func addRows() throws -> [Row] {
    let entrants = try contest("add") { $0.addOne(in: $1) }
    for peer in peers {
      for size in [Self.few, Self.many] {
        try expect(size + Contest.warmUps + rounds, of: peer, in: folder(peer, size))
      }
    }
    var few = row("`add` one", Self.few, entrants)
    few.hold(to: "sqlite3 shell", atMost: 1.25)
    few.hold(to: "Taskwarrior", atMost: 1)
    var many = row("`add` one", Self.many, entrants)
    if let own = many.cells.first, let other = few.cells.first {
      let ratio = own.wall.median / other.wall.median
      many.verdicts.append(
        Verdict(
          target: "within 10 % of \(Self.few) items", measured: "\(Figure.factor(ratio)) ×", isReached: ratio <= 1.1))
    }
    return [few, many]
  }

  // Both sizes take part in one contest, so that they can be compared with each other too.
  private func contest(_ name: String, _ command: (any Peer, String) throws -> Command) throws -> [Entrant] {
    Progress.tell("\(name), \(rounds) rounds …")
    let entrants = try [Self.few, Self.many].flatMap { size in
      try peers.map { Entrant(peer: $0.name, items: size, command: try command($0, folder($0, size))) }
    }
    return try Contest(entrants: entrants, rounds: rounds).measured()
  }

  private func row(_ what: String, _ size: Int, _ entrants: [Entrant]) -> Row {
    Row("\(what), \(Figure.grouped(size)) items", entrants.filter { $0.items == size })
  }

  private func prepare(_ items: SampleItems) throws {
    for peer in peers {
      Progress.tell("\(peer.name): preparing \(Figure.grouped(items.count)) items …")
      let folder = try folder(peer, items.count)
      try peer.prepare(items, in: folder)
      try expect(items.count, of: peer, in: folder)
    }
  }

  private func expect(_ count: Int, of peer: any Peer, in folder: String) throws {
    let found = try peer.count(in: folder)
    guard found == count else {
      throw BenchmarkError("\(peer.name) has \(found) items where \(count) were put in: nothing was measured")
    }
  }

  private func folder(_ peer: any Peer, _ size: Int) throws -> String {
    try scratch.folder("\(peer.name.prefix { !$0.isWhitespace })-\(size)")
  }
}
