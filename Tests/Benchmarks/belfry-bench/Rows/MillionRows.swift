import Foundation

/// The rows of a very large store: the due query, the next reminders, and the size of an item.
struct MillionRows {
  let bench: BenchRun

  /// Measures the next reminders and the size on disk.
  func measure() throws -> [Row] {
    let (belfry, shell) = (bench.belfry, try SQLiteShell())
    let entrants = [
      Entrant(peer: belfry.name) { [command = belfry.showPending(in: try bench.folder(belfry, huge))] _ in command },
      Entrant(peer: shell.name) { [command = shell.showPending(in: try bench.folder(shell, huge))] _ in command },
    ]
    var pending = Row(
      "pending", "`pending -n 20`, \(Figure.grouped(huge)) items", try bench.contest("pending", entrants))
    pending.hold(to: shell.name, atMost: 2)

    var size = Row("room", "store on disk an item, \(Figure.grouped(huge)) items with reminders", .bytes)
    size.add(belfry.name, [try room(of: belfry)])
    size.add(shell.name, [try room(of: shell)])
    size.hold(size.own, atMost: 300)
    return [pending, size]
  }

  /// Measures the daemon's query of each minute.
  func due() throws -> [Row] {
    let store = "\(try bench.folder(bench.belfry, huge))/belfry.sqlite"
    let copy = try bench.copy(bench.folder(bench.belfry, huge), as: "due-plain") + "/belfry.sqlite"
    bench.introduce(try C.description(bench.limits))
    let (limits, times) = (bench.limits, "50")
    let entrants = [
      Entrant(peer: Belfry.name) { _ in try LimitPrograms.number(limits.probe(["due", store, "100", times])) },
      Entrant(peer: C.plainIndex) { _ in
        try LimitPrograms.number(limits.command(["due", copy, "reminder_plain", "100", times]))
      },
      Entrant(peer: C.coveringIndex) { _ in
        try LimitPrograms.number(limits.command(["due", store, "reminder_due", "100", times]))
      },
    ]
    var row = Row(
      "due", "due query, 100 of \(Figure.grouped(huge)), within a process",
      try bench.contest("due", entrants, rounds: 10))
    row.hold(to: C.plainIndex, atMost: 1.5)
    try FileManager.default.removeItem(atPath: "\(bench.scratch.path)/due-plain")
    return [row]
  }

  private var huge: Int { bench.scale.huge }

  // Measured with an empty write-ahead log.
  private func room(of peer: any Peer) throws -> Double {
    let folder = try bench.copy(bench.folder(peer, huge), as: "room")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    guard let file = files.first(where: { $0.hasSuffix(".sqlite") }) else {
      throw BenchmarkError("no store in \(folder)")
    }
    let shell = try Surroundings.program("sqlite3", package: "sqlite3")
    let command = Command(
      program: shell, arguments: ["\(folder)/\(file)", "PRAGMA wal_checkpoint(TRUNCATE)"],
      environment: Surroundings.variables(home: folder))
    _ = try command.output()
    let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.size] as? Int ?? 0
    return Double(size) / Double(huge)
  }
}

/// The names of the C programs in the table.
enum C {
  /// The due query with an index of the dates alone.
  static let plainIndex = "C, index on the date"
  /// The due query with an index of all needed columns.
  static let coveringIndex = "C, Belfry's covering index"

  /// The description of the C programs for the report.
  static func description(_ limits: LimitPrograms) throws -> PeerDescription {
    PeerDescription(
      "C", version: "(\(try limits.version()))",
      "programs of a page each in `Tests/Benchmarks/belfry-bench-limits`; rows go into a database that Belfry made, with its tables, "
        + "indexes and durability (WAL, synchronous=FULL)")
  }
}
