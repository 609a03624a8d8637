import Foundation

/// The rows of stores in one file, which every `add` replaces.
struct FileStoreRows {
  let bench: BenchRun

  /// Prepares the data and measures.
  func measure(_ growth: inout Growth) throws -> [Row] {
    let taskwarrior = try Taskwarrior()
    try bench.introduce(taskwarrior)
    var entrants: [Entrant] = []
    for size in bench.scale.fileSizes {
      for (name, peer) in [
        (name("json"), try belfry("json")), (name("plist"), try belfry("plist")), (taskwarrior.name, taskwarrior),
      ] as [(String, any Peer)] {
        let folder = try bench.folder(peer, size, for: "file-\(name.filter(\.isLetter))")
        guard let command = peer.addOne(in: folder) else { continue }
        entrants.append(Entrant(peer: name, items: size) { _ in command })
      }
    }
    let measured = try bench.contest("add to one file", entrants, rounds: 15)
    growth.add(Plot("add-file", "add one item to a store of one file", measured))
    return ["json", "plist"].flatMap { rows($0, measured) }
  }

  private func rows(_ store: String, _ measured: [Entrant]) -> [Row] {
    let sizes = bench.scale.fileSizes.suffix(2)
    return sizes.map { size in
      let own = measured.filter { $0.items == size && $0.peer == name(store) }
      let other = measured.filter { $0.items == size && $0.peer == Taskwarrior.name }
      var row = Row(
        "add-\(store)-\(size)", "`add` one, \(store) store, \(Figure.grouped(size)) items", own + other)
      if let first = row.cells.indices.first { row.cells[first].peer = Belfry.name }
      if size == sizes.last { row.hold(to: Taskwarrior.name, atMost: 0.5) } else { row.hold(row.own, atMost: 40) }
      return row
    }
  }

  private func belfry(_ store: String) throws -> Belfry { try Belfry(folder: bench.options.programs, store: store) }

  private func name(_ store: String) -> String { "\(Belfry.name), \(store) store" }
}
