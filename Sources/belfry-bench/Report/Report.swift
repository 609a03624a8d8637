import Foundation

/// Everything that was measured, as a table and as numbers.
struct Report: Codable {
  /// Where.
  var machine: Machine
  /// How often each command was measured.
  var rounds: Int
  /// Whom.
  var peers: [PeerDescription] = []
  /// What.
  var rows: [Row] = []
  /// What could not be measured, and why.
  var failures: [String] = []
  /// The plots, as the README refers to them.
  var plots: [String] = []

  /// The table in Markdown, with what the reader needs to judge it.
  var text: String {
    let table = [["", "Belfry", "beside it", "to reach", "result"]] + rows.map(line)
    let head = ["| \(table[0].joined(separator: " | ")) |", "|---|---|---|---|---|"]
    let body = table.dropFirst().map { "| \($0.joined(separator: " | ")) |" }
    var parts = [[introduction], head + body]
    if !explanations.isEmpty { parts.append(["Where the time goes in what was not reached:", ""] + explanations) }
    if !failures.isEmpty { parts.append(["Not measured:", ""] + failures.map { "- \($0)" }) }
    if !plots.isEmpty {
      parts.append(["How each cost grows with the number of items, both axes logarithmic:", ""] + plots)
    }
    parts.append(peers.map { "- **\($0.name)** \($0.version): \($0.settings)." })
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// Writes every single number as JSON.
  func writeJSON(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }

  private var introduction: String {
    """
    Measured \(machine.moment.prefix(10)) on \(machine.processor), \(machine.system), \(machine.fileSystem), in one run of `make bench`: \
    medians of up to \(rounds) interleaved rounds, quartiles in brackets, whole processes except where it says otherwise; what takes \
    seconds a round is measured less often.
    """
  }

  private var explanations: [String] {
    rows.filter { $0.verdicts.contains { !$0.isReached } }.map { row in
      "- \(row.label): \(Explanations.texts[row.key] ?? "not explained yet.")"
    }
  }

  private func line(_ row: Row) -> [String] {
    func shown(_ cell: Row.Cell) -> String { Figure.spread(cell.summary, row.unit) }
    let own = row.cells.first.map { $0.peer == Belfry.name ? shown($0) : "" } ?? ""
    let others = row.cells.filter { $0.peer != Belfry.name }.map { "\($0.peer) \(shown($0))" }
    let results = row.verdicts.map { "\($0.measured) \($0.isReached ? "reached" : "**not reached**")" }
    return [
      row.label, own, others.joined(separator: "<br>"), row.verdicts.map(\.target).joined(separator: "<br>"),
      results.joined(separator: "<br>"),
    ]
  }
}
