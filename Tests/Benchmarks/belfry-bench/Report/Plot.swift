import Foundation

/// A plot of cost by number of items: a curve for each peer, with logarithmic axes.
struct Plot {
  /// The name of the file, without its ending.
  let name: String
  let title: String
  /// The curves, Belfry's first.
  let curves: [(peer: String, points: [(items: Double, milliseconds: Double)])]

  /// The curves of a contest at several sizes; a peer measured at only one size has none.
  init(_ name: String, _ title: String, _ entrants: [Entrant]) {
    self.name = name
    self.title = title
    var order: [String] = []
    for entrant in entrants where !order.contains(entrant.peer) { order.append(entrant.peer) }
    curves = order.map { peer in
      let own = entrants.filter { $0.peer == peer }
      return (
        peer, own.map { (Double($0.items ?? 1), max(0.01, Summary($0.samples.map(\.value)).median)) }
      )
    }.filter { $0.points.count > 1 }
  }

  /// Writes the plot into a folder.
  ///
  /// - Throws: ``BenchmarkError``.
  func write(to folder: String) throws -> WrittenPlot {
    let file = "\(folder)/bench-\(name).svg"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try PlotDrawing(self).svg.write(toFile: file, atomically: false, encoding: .utf8)
    } catch {
      throw BenchmarkError("cannot write \(file): \(error.localizedDescription)")
    }
    return WrittenPlot(title: "Time to \(title) by the number of items", file: file)
  }
}

/// A plot in a file.
struct WrittenPlot: Codable {
  var title: String
  /// The path of the file.
  var file: String

  /// The Markdown of the plot in a page, with a path relative to the page's folder.
  func markdown(in page: String) -> String {
    let folder = page.lastIndex(of: "/").map { page[...$0] } ?? ""
    let path = file.hasPrefix(folder) ? file.dropFirst(folder.count) : file[...]
    return "![\(title)](\(path))"
  }
}

/// The plots of all contests at several sizes.
struct Growth {
  /// The plots that have curves.
  private(set) var plots: [Plot] = []

  mutating func add(_ plot: Plot) {
    if !plot.curves.isEmpty { plots.append(plot) }
  }
}
