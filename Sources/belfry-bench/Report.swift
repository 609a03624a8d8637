import Foundation

/// Everything that was measured, as a table and as numbers.
struct Report: Codable {
  /// Where.
  var machine: Machine
  /// How often each command was measured.
  var rounds: Int
  /// Whom.
  var peers: [PeerDescription]
  /// What.
  var rows: [Row] = []

  /// The table in Markdown, columns aligned, with what the reader needs to judge it.
  var text: String {
    let header = [""] + peers.map(\.name) + ["target", "measured"]
    let table = [header] + rows.map(line)
    let widths = header.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    func render(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
    let body = [render(header), rule] + table.dropFirst().map(render)
    return ([introduction, ""] + body + [""] + peerLines).joined(separator: "\n")
  }

  /// Writes every single number as JSON.
  func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }

  private var introduction: String {
    """
    Measured \(machine.moment.prefix(10)) on \(machine.processor), \(machine.system), \(machine.fileSystem): medians of \(rounds) \
    interleaved rounds in one run, quartiles in brackets, a whole process each.
    """
  }

  private var peerLines: [String] {
    peers.map { "- \($0.name) \($0.version): \($0.settings)." }
  }

  private func line(_ row: Row) -> [String] {
    var times = peers.map { peer in row.cell(peer.name).map { Figure.spread($0.wall) } ?? "" }
    // What the machine itself takes stands where Belfry's time stands that it is to be compared with.
    if let first = times.first, first.isEmpty, let cell = row.cells.first { times[0] = Figure.spread(cell.wall) }
    let targets = row.verdicts.map(\.target).joined(separator: "; ")
    let results = row.verdicts.map { "\($0.measured) \($0.isReached ? "reached" : "**not reached**")" }
    return [row.label] + times + [targets, results.joined(separator: "; ")]
  }
}
