import Foundation

/// All results, as a table and as numbers.
struct Report: Codable {
  var machine: Machine
  /// The number of rounds of each command.
  var rounds: Int
  var peers: [PeerDescription] = []
  /// The rows of the table.
  var rows: [Row] = []
  /// The failed measurements with their reasons.
  var failures: [String] = []
  var plots: [WrittenPlot] = []

  // The keys of the rows that matter most in everyday use.
  private static let telling = ["start-up", "add-many", "show-many", "ring", "webhook"]

  /// The table in Markdown, with what the reader needs to judge it.
  func text(in page: String) -> String {
    var parts = [[introduction], table(["", "Belfry", "beside it", "to reach", "result"], rows)]
    if !failures.isEmpty { parts.append(["Not measured:", ""] + failures.map { "- \($0)" }) }
    if !plots.isEmpty {
      let heading = "How each cost grows with the number of items, both axes logarithmic:"
      parts.append([heading, ""] + plots.map { $0.markdown(in: page) })
    }
    parts.append(peers.map { "- **\($0.name)** \($0.version): \($0.settings)." })
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// The most important rows and the first plot, for a page about something else.
  func summary(in page: String) -> String {
    let few = Self.telling.compactMap { key in rows.first { $0.key == key } }
    let parts = [table(["", "Belfry", "beside it"], few), plots.prefix(1).map { $0.markdown(in: page) }]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func table(_ columns: [String], _ rows: [Row]) -> [String] {
    func line(_ cells: [String]) -> String { "| \(cells.prefix(columns.count).joined(separator: " | ")) |" }
    return [line(columns), "|" + String(repeating: "---|", count: columns.count)] + rows.map { line(cells($0)) }
  }

  /// Writes all numbers as JSON.
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

  private func cells(_ row: Row) -> [String] {
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
