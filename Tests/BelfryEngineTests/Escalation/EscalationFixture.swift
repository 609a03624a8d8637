import BelfryTestKit
import Foundation
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Reminders that escalate: to Anna, after 10 minutes to Ben, after 30 to both, every 10 minutes, three times.
struct EscalationFixture {
  static let sinks = ["anna", "ben", "desk"].map { "\($0)-phone" }

  var answers: AnswerFixture
  var engine: EngineFixture {
    get { answers.engine }
    set { answers.engine = newValue }
  }

  init(_ rule: EscalationRule = EscalationRule(name: "home"), store: (any ItemStore)? = nil) throws {
    answers = try AnswerFixture(store: store)
    engine.settings.people = [
      Person(name: "anna", sinks: ["anna-phone"]), Person(name: "ben", sinks: ["ben-phone"]),
    ]
    let ten = try lead("10m")
    engine.settings.escalations = [
      Escalation(
        name: "home",
        steps: [
          Escalation.Step(to: ["anna"]), Escalation.Step(after: ten, to: ["ben"]),
          Escalation.Step(after: try lead("30m"), to: ["anna", "ben"], every: ten, times: 3),
        ])
    ]
    engine.settings.lists = [ListRule(pattern: ListPattern("Groceries"), escalation: rule)]
  }

  /// Makes a step ring so many times, every 5 minutes.
  mutating func setTimes(_ times: Int, ofStep number: Int) throws {
    let every = try lead("5m")
    engine.settings.escalations = engine.settings.escalations.map { escalation in
      var steps = escalation.steps
      let step = steps[number - 1]
      steps[number - 1] = Escalation.Step(after: step.after, to: step.to, every: every, times: times)
      return Escalation(name: escalation.name, steps: steps)
    }
  }

  /// Makes a person be away on the day of the fixture.
  mutating func sendAway(_ name: String) throws {
    let absence = Absence(from: try wall("2026-11-21T00:00"), until: try wall("2026-11-22T00:00"))
    engine.settings.people = engine.settings.people.map { person in
      person.name == name
        ? Person(name: name, sinks: person.sinks, away: [absence].compactMap(\.self)) : person
    }
  }

  /// Sets the clock as ``AnswerFixture/ring(_:sinks:)`` does, and claims until nothing is due.
  ///
  /// - Returns: the messages, as `ben-phone 2.1`: the sink, the step and the ring.
  @discardableResult
  func ring(_ time: String) throws -> [String] {
    let known = try engine.deliveries().count
    repeat { try answers.ring(time, sinks: Self.sinks) } while try engine.belfry.hasDueReminders()
    return try engine.store.read { view in
      try engine.deliveries().dropFirst(known).map { delivery in
        let note = try view.message(id: delivery.messageID)?.contents.first?.escalation
        return "\(delivery.sink) " + (note.map { "\($0.step).\($0.ring)" } ?? "without")
      }
    }
  }

  /// The scheduled steps, as `2.1 10:10`.
  func steps() throws -> [String] {
    try engine.belfry.read { reading in
      try reading.view.reminders(of: .item(1), at: nil, state: .scheduled).sorted { $0.fireDate < $1.fireDate }
        .compactMap { reminder in
          guard let place = reminder.place else { return nil }
          let time = reading.planner.floatingZone.wallTime(at: reminder.fireDate.date).time
          return "\(place.step).\(place.ring) \(time)"
        }
    }
  }
}
