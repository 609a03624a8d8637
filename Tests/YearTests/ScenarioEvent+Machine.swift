import BelfryEngine
import Foundation
import Testing

extension ScenarioEvent {
  /// Carries out the event: a command, or something that happens to the machine.
  ///
  /// - Throws: ``BelfryError`` where Belfry refuses a command.
  func happen(on machine: SimulatedMachine) async throws {
    switch kind {
    case .off: machine.stopDaemon()
    case .on:
      machine.settings.missed.policy = try #require(policy.flatMap(MissedPolicy.Policy.init))
      try await machine.startDaemon(isAfterCrash: isAfterCrash ?? false)
    case .sleep: machine.isAsleep = true
    case .wake:
      machine.isAsleep = false
      try await machine.tick()
    case .step: try await machine.setClock(to: Date(second: try #require(to)))
    case .zone: try machine.move(to: try #require(zone))
    case .config: try await machine.configure(try #require(config))
    default: try perform(on: machine.belfry)
    }
  }
}
