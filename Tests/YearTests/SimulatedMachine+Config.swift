import BelfryConfig
import BelfryEngine
import ConfigKeys
import Foundation
import SQLitePlugin
import Testing
import Transport

extension SimulatedMachine {
  /// Sets the text of a config, which a running daemon reloads. Its missed policy is left out.
  func configure(_ text: String) async throws {
    let loader = ConfigLoader(
      schema: ConfigSchema(stores: [SQLiteStorePlugin.self], sinks: [ScenarioSinkPlugin.self]),
      environment: ConfigEnvironment(variables: [:], workingDirectory: "/"), zones: belfry.zones)
    let configuration = try loader.load(bytes: Array(text.utf8), name: "config")
    let missed = settings.missed
    settings = configuration.settings
    settings.missed = missed
    sinks = try configuration.sinks.filter(\.isEnabled).map(activeSink)
    try await reload()
  }

  private func activeSink(_ section: SinkSection) throws -> ActiveSink {
    var sink = try #require(try section.plugin.makeSink(.none) as? ScenarioSink)
    (sink.journal, sink.faults) = (journal, faults[section.name] ?? [])
    let people = settings.people.filter { $0.sinks.contains(section.name) }
    return ActiveSink(
      name: section.name, sink: sink, retry: RetryPolicy(maxAge: Double(section.retryMaxAge)),
      quietHours: section.quietHours, addresses: Set(people.compactMap(\.address)))
  }
}
