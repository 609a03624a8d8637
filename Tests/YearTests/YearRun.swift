import BelfryEngine
import BelfryModel
import Foundation
import Testing

/// Runs a scenario through Belfry.
enum YearRun {
  /// The fired reminders and refused commands, one on each line as in `Oracle/year_model.py`.
  static func lines(of scenario: Scenario) async throws -> [String] {
    let machine = try SimulatedMachine(clock: Date(second: scenario.start), zone: scenario.zone)
    let lines = try await lines(of: scenario, on: machine, until: scenario.end)
    expectOrder(of: machine.ringings)
    return lines
  }

  /// As ``lines(of:)``, on a machine of several daemons that come and go, and up to an earlier end.
  static func lines(of scenario: Scenario, on machine: SimulatedMachine, until end: Int) async throws -> [String] {
    try await machine.startDaemon()
    for list in scenario.lists { _ = try machine.belfry.createList(list) }
    var refused: [String] = []
    for (number, event) in scenario.events.enumerated() where event.at <= end {
      if number % 40 == 39 { try machine.replaceDaemon(isCrash: number % 80 == 79) }
      try await machine.advance(to: Date(second: event.at))
      do {
        try await event.happen(on: machine)
      } catch let error as BelfryError where [.notFound, .usage, .badInput].contains(error.kind) {
        refused.append("refused \(number)")
      }
      machine.lookInAMinute()
    }
    try await machine.advance(to: Date(second: end))
    return machine.ringings.map(line) + refused
  }

  private static func expectOrder(of ringings: [SimulatedMachine.Ringing]) {
    let isInOrder = zip(ringings, ringings.dropFirst()).allSatisfy { first, second in
      first.instant != second.instant || first.reminder.fireDate <= second.reminder.fireDate
    }
    #expect(isInOrder, "what is sent at one instant goes out in order of fire date")
  }

  private static func line(_ ringing: SimulatedMachine.Ringing) -> String {
    let occurrence = ringing.reminder.occurrence
    let owner =
      switch occurrence.owner {
      case .item(let id): "item \(id)"
      case .list: "list \(ringing.content.listName)"
      }
    let kind =
      switch occurrence.kind {
      case .planned: "planned"
      case .snooze: "snooze"
      case .nag: "nag"
      case .escalation: "escalation"
      }
    let details = occurrence.kind == .planned ? " \(occurrence.wallTime) \(occurrence.lead.iso8601)" : ""
    let instant = Int(ringing.instant.timeIntervalSince1970.rounded(.down))
    return "\(instant) \(owner) \(kind) \(ringing.reminder.fireDate.secondsSinceEpoch)\(details)"
  }
}

extension Date {
  /// The instant this many seconds after 1970.
  init(second: Int) { self.init(timeIntervalSince1970: Double(second)) }
}
