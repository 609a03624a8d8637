import BelfryTestKit
import ConfigKeys
import Foundation
import PostgresStore
import TestSupport
import Testing

/// A year of one daemon, and the same year of three on one store, of which each sends through some of the sinks.
@Suite struct SeveralDaemonsTests {
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  private static let days = isDeep ? 366 : 30

  @Test("three daemons that come and go ring as one does")
  func three() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("scenario.json")
    try Oracle.run("year_scenario.py", ["3", "2026-01-05T06:40:11Z", "200"], output: file)
    let scenario = try JSONDecoder().decode(Scenario.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    let (start, end) = (Date(second: scenario.start), min(scenario.end, scenario.start + Self.days * 86_400))
    let one = try SimulatedMachine(clock: start, zone: scenario.zone)
    let server = try PostgresServer()
    let stores = (0...3).map { _ in PostgresStore(url: SecretSource(Secret(server.url())), schema: "belfry") }
    let three = try SimulatedMachine(
      clock: start, zone: scenario.zone, store: stores[0], fleet: Array(stores.dropFirst()))
    for machine in [one, three] { try await machine.configure(Self.config(scenario.lists)) }
    let expected = try await YearRun.lines(of: scenario, on: one, until: end)
    let found = try await YearRun.lines(of: scenario, on: three, until: end)
    three.stopDaemon()
    #expect(expected.count > Self.days * 5, "a time in which next to nothing rings tests nothing")
    let differences = Differences(expected: expected, found: found)
    #expect(differences.isEmpty, "\(differences)")
    if Self.isDeep { print("\(Self.days) days: \(found.count) lines, the same from three daemons as from one") }
  }

  // A sink for each list. The store is the machine's, not the config's.
  private static func config(_ lists: [String]) -> String {
    let sinks = lists.map { "  \($0.lowercased()): { type: recorder }" }
    let routes = lists.map { "  - { lists: [\($0)], sinks: [\($0.lowercased())] }" }
    return (["store: { type: sqlite, path: /unused.sqlite }", "sinks:"] + sinks + ["routes:"] + routes + [""])
      .joined(separator: "\n")
  }
}
