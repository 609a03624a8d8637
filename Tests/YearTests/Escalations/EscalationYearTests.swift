import BelfryTestKit
import Foundation
import SystemThreads
import Testing

/// Reminders that ring until somebody answers, run through Belfry and through a model in Python that only knows the
/// contract. Needs python3 with python-dateutil.
@Suite struct EscalationYearTests {
  /// The number of reminders in a year, with their escalations: 10,000 of them take minutes in a debug build.
  private static let reminders = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 10_000 : 500

  /// A scenario with what rings in it.
  private struct Case: Decodable {
    let name: String
    let scenario: Scenario
    let expected: [String]
  }

  @Test("short scenarios that were worked out by hand ring for the right people")
  func shortScenarios() async throws {
    let folder = try TemporaryFolder()
    try Oracle.run("escalation_cases.py", [], output: folder.file("cases.json"))
    let cases = try JSONDecoder().decode(
      [Case].self, from: Data(contentsOf: URL(fileURLWithPath: folder.file("cases.json"))))
    #expect(cases.count > 60)
    for each in cases {
      let differences = Differences(expected: each.expected, found: try await EscalationRun(each.scenario).run())
      #expect(differences.isEmpty, "\(each.name)\n\(differences)")
    }
  }

  @Test(
    "a year of a hundred people rings for exactly those whom the model names, and never after an answer",
    arguments: [1, 2])
  func agreesWithTheModel(seed: Int) async throws {
    // A year computes for a minute: on the pool it would keep other tests waiting beyond their limits.
    let thread = TaskThread()
    try await Task(executorPreference: thread) { try await compare(seed) }.value
  }

  private func compare(_ seed: Int) async throws {
    let arguments = [String(seed), "2026-01-05T06:40:11Z", String(Self.reminders)]
    let folder = try TemporaryFolder()
    let scenarioFile = folder.file("scenario.json")
    try Oracle.run("escalation_scenario.py", arguments, output: scenarioFile)
    let scenario = try JSONDecoder().decode(
      Scenario.self, from: Data(contentsOf: URL(fileURLWithPath: scenarioFile)))
    try Oracle.run("escalation_model.py", [scenarioFile], output: folder.file("expected"))
    let expected = try String(contentsOfFile: folder.file("expected"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let found = try await EscalationRun(scenario).run()
    #expect(expected.count > 3 * Self.reminders, "a year in which next to nothing rings tests nothing")
    let differences = Differences(expected: expected, found: found)
    #expect(differences.isEmpty, "escalation_scenario.py \(arguments.joined(separator: " "))\n\(differences)")
  }
}
