import Foundation

/// The rows of commands: start-up, `add`, `show` and `check`, with few items and with many.
struct CommandRows {
  let bench: BenchRun

  /// The time of each program to print its version.
  func startUp() throws -> [Row] {
    let entrants = try peers().compactMap { peer in
      peer.startUp.map { command in Entrant(peer: peer.name) { _ in command } }
    }
    var row = Row("start-up", "start-up: `--version`", try bench.contest("Start-up", entrants))
    row.hold(to: Taskwarrior.name, atMost: 0.7)
    return [row]
  }

  /// Measures `add`, `show` and `check`, each at all sizes in one contest, so that sizes can be compared.
  func measure(_ growth: inout Growth) throws -> [Row] {
    let peers = try peers()
    let add = try contest("add", peers) { peer, folder, _ in peer.addOne(in: folder) }
    for peer in peers {
      for size in sizes(peer) where size < 100_000 {
        let done = add.first { $0.peer == peer.name && $0.items == size }.map { $0.samples.count }
        // The one to three adds of the warm-up are in the store as well.
        let found = try peer.count(in: bench.folder(peer, size)) - size - (done ?? 0)
        guard (0...Contest.warmUps).contains(found) else {
          throw BenchmarkError("\(peer.name) did not add what it was told to: \(found) more than measured")
        }
      }
    }
    let show = try contest("show", peers) { peer, folder, _ in peer.showNext(in: folder) }
    let check = try contest("check", peers) { peer, folder, round in peer.checkOne(round + 1, in: folder) }
    growth.add(Plot("add", "add one item", add))
    growth.add(Plot("show", "show the next 20", show))
    growth.add(Plot("check", "check one item", check))
    return addRows(add) + showRows(show) + checkRows(check)
  }

  private var few: Int { bench.scale.sizes.first ?? 0 }
  private var many: Int { bench.scale.sizes.last ?? 0 }
  private var huge: Int { bench.scale.huge }

  private func addRows(_ entrants: [Entrant]) -> [Row] {
    var few = row("add-few", "`add` one", few, entrants)
    few.hold(to: SQLiteShell.name, atMost: 1.25)
    few.hold(to: Taskwarrior.name, atMost: 1)
    let words = "\(Figure.grouped(self.few)) items"
    var many = row("add-many", "`add` one", many, entrants)
    many.hold(within: 0.1, of: few, words)
    var huge = row("add-huge", "`add` one", huge, entrants)
    huge.hold(within: 0.1, of: few, words)
    return [few, many, huge]
  }

  private func showRows(_ entrants: [Entrant]) -> [Row] {
    let few = row("show-few", "`show -n 20`", few, entrants)
    var many = row("show-many", "`show -n 20`", many, entrants)
    many.hold(to: SQLiteShell.name, atMost: 1.5)
    var huge = row("show-huge", "`show -n 20`", huge, entrants)
    huge.hold(within: 0.1, of: few, "\(Figure.grouped(self.few)) items")
    return [few, many, huge]
  }

  private func checkRows(_ entrants: [Entrant]) -> [Row] {
    let few = row("check-few", "`check` one", few, entrants)
    var many = row("check-many", "`check` one", many, entrants)
    many.hold(to: SQLiteShell.name, atMost: 1.25)
    return [few, many]
  }

  private func row(_ key: String, _ what: String, _ size: Int, _ entrants: [Entrant]) -> Row {
    Row(key, "\(what), \(Figure.grouped(size)) items", entrants.filter { $0.items == size })
  }

  private func contest(
    _ name: String, _ peers: [any Peer], _ command: @escaping (any Peer, String, Int) -> Command?
  ) throws -> [Entrant] {
    var entrants: [Entrant] = []
    for size in bench.scale.sizes + [huge] {
      for peer in peers where sizes(peer).contains(size) {
        let folder = try bench.folder(peer, size)
        guard let first = command(peer, folder, 0) else { continue }
        entrants.append(
          Entrant(peer: peer.name, items: size) { round in command(peer, folder, round) ?? first })
      }
    }
    return try bench.contest(name, entrants)
  }

  private func sizes(_ peer: any Peer) -> [Int] {
    bench.scale.sizes.filter { $0 <= peer.mostItems } + (peer.mostItems >= 1_000_000 ? [huge] : [])
  }

  private func peers() throws -> [any Peer] {
    let peers: [any Peer] = [
      bench.belfry, try SQLiteShell(), try Taskwarrior(), try TodoTxt(), try Remind(), try Calcurse(), try Todoman(),
    ]
    try peers.forEach(bench.introduce)
    return peers
  }
}
