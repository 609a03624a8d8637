import Foundation

/// The rows of imports, and of adding items one by one.
struct ImportRows {
  // The rows that the C program writes in one commit.
  private static let batch = "10000"
  let bench: BenchRun

  /// The items imported in a second, over the whole run of the process.
  func imported() throws -> [Row] {
    let count = bench.scale.imported
    let folder = try bench.folder(bench.belfry, count, for: "import")
    let empty = try emptyStore()
    let bench = bench
    let entrants = [
      Entrant(peer: Belfry.name) { _ in
        let target = try bench.copy(empty, as: "imported")
        let command = bench.belfry.importing("\(folder)/items.plist", in: target)
        return Double(count) / (try command.measured().wall / 1e3)
      },
      Entrant(peer: LimitPrograms.sqlite) { _ in
        let target = try bench.copy(empty, as: "imported")
        let command = bench.limits.command(["import", "\(target)/belfry.sqlite", "\(count)", Self.batch])
        return Double(count) / (try command.measured().wall / 1e3)
      },
    ]
    bench.introduce(try C.description(bench.limits))
    var row = Row(
      "import",
      "import of \(Figure.grouped(count)) items with reminders (Belfry reads a property list, C reads nothing)",
      in: .perSecond, try bench.contest("import", entrants, rounds: 5))
    row.hold(to: LimitPrograms.sqlite, atLeast: 0.6)
    return [row]
  }

  /// The items that one process adds in a second, each on disk before the next.
  func inserted() throws -> [Row] {
    let count = bench.scale.inserted
    let empty = try emptyStore()
    let bench = bench
    func entrant(_ peer: String, _ command: @escaping ([String]) -> Command) -> Entrant {
      Entrant(peer: peer) { _ in
        let target = try bench.copy(empty, as: "inserted")
        return Double(count) / (try LimitPrograms.number(command(["insert", "\(target)/belfry.sqlite", "\(count)"])))
      }
    }
    let entrants = [
      entrant(Belfry.name, bench.limits.probe), entrant(LimitPrograms.sqlite, bench.limits.command),
    ]
    bench.introduce(try C.description(bench.limits))
    var row = Row(
      "insert", "one confirmed `add` after another in one process, an `fsync` each", in: .perSecond,
      try bench.contest("insert", entrants, rounds: 5))
    row.hold(to: LimitPrograms.sqlite, atLeast: 0.8)
    return [row]
  }

  // A store with one list and one item, so that the tables and the list exist.
  private func emptyStore() throws -> String {
    let folder = try bench.scratch.folder("empty")
    guard access("\(folder)/belfry.sqlite", F_OK) != 0 else { return folder }
    try bench.belfry.configure(folder)
    _ = try bench.belfry.addOne(in: folder)?.output()
    return folder
  }
}
