/// The rows of the stores: `add` into one file that is replaced whole, and the next of a million reminders.
struct StoreRows {
  private static let sizes = [10_000, 100_000]
  private static let million = 1_000_000

  let programs: String
  let options: Options
  let scratch: Scratch

  /// Prepares the data and measures.
  func measure() throws -> [Row] {
    var rows = try ["json", "plist"].flatMap(addRows)
    if !options.isQuick { rows.append(try pendingRow()) }
    return rows
  }

  private func addRows(store: String) throws -> [Row] {
    let peers: [any Peer] = [try Belfry(folder: programs, store: store), try Taskwarrior()]
    let entrants = try Self.sizes.flatMap { size in
      try peers.map { peer in
        let folder = try prepared(peer, size, name: store)
        return Entrant(peer: peer.name, items: size, command: peer.addOne(in: folder))
      }
    }
    Progress.tell("add to a \(store) store, \(options.rounds) rounds …")
    let measured = try Contest(entrants: entrants, rounds: options.rounds).measured()
    return Self.sizes.map { size in
      var row = Row(
        "`add` one, \(store) store, \(Figure.grouped(size)) items", measured.filter { $0.items == size })
      if size == Self.sizes[0] {
        if let own = row.cells.first { row.hold("", own.wall.median, atMost: 40) }
      } else {
        row.hold(to: "Taskwarrior", atMost: 0.5)
      }
      return row
    }
  }

  private func pendingRow() throws -> Row {
    let (belfry, shell) = (try Belfry(folder: programs), try SQLiteShell())
    let entrants = [
      Entrant(peer: belfry.name, command: belfry.showPending(in: try prepared(belfry, Self.million, name: "pending"))),
      Entrant(peer: shell.name, command: shell.showPending(in: try prepared(shell, Self.million, name: "pending"))),
    ]
    Progress.tell("pending, \(options.rounds) rounds …")
    var row = Row(
      "`pending -n 20`, 1,000,000 items", try Contest(entrants: entrants, rounds: options.rounds).measured())
    row.hold(to: shell.name, atMost: 2)
    return row
  }

  private func prepared(_ peer: any Peer, _ size: Int, name: String) throws -> String {
    Progress.tell("\(peer.name): preparing \(Figure.grouped(size)) items …")
    let folder = try scratch.folder("\(name)-\(peer.name.prefix { !$0.isWhitespace })-\(size)")
    try peer.prepare(SampleItems(count: size), in: folder)
    let found = try peer.count(in: folder)
    guard found == size else {
      throw BenchmarkError("\(peer.name) has \(found) items where \(size) were put in: nothing was measured")
    }
    return folder
  }
}
