import BelfryTestKit
import Foundation
import Testing

/// A year of items, commands, outages and clock changes, run through Belfry and through a model in Python that only
/// knows the contract. Needs python3 with python-dateutil.
@Suite struct YearTests {
  /// The parameters of a random year, which is reproducible.
  struct Year: Sendable, CustomTestStringConvertible {
    let seed: Int
    let start: String
    let items: Int
    /// The arguments of `Oracle/year_scenario.py` that print the scenario.
    var testDescription: String { "\(seed) \(start) \(items)" }
  }

  @Test(
    "a year delivers exactly what the model lists: no more, no less, none early",
    arguments: [
      // Unchecks items whose nags the check had ended.
      Year(seed: 1, start: "2026-01-05T06:40:11Z", items: 200),
      // Samoa skips 30 December.
      Year(seed: 2, start: "2011-06-01T06:40:11Z", items: 200),
    ])
  func agreesWithTheModel(year: Year) async throws {
    let folder = try TemporaryFolder()
    let scenarioFile = folder.file("scenario.json")
    try Oracle.run("year_scenario.py", [String(year.seed), year.start, String(year.items)], output: scenarioFile)
    let scenario = try JSONDecoder().decode(
      Scenario.self, from: Data(contentsOf: URL(fileURLWithPath: scenarioFile)))
    try Oracle.run("year_model.py", [scenarioFile], output: folder.file("expected"))
    let expected = try String(contentsOfFile: folder.file("expected"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let found = try await YearRun.lines(of: scenario)
    #expect(expected.count > 3_500, "a year in which next to nothing rings tests nothing")
    let differences = Differences(expected: expected, found: found)
    #expect(differences.isEmpty, "year_scenario.py \(year.testDescription)\n\(differences)")
  }
}
