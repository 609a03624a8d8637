import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Escalations in `explain`. It is 21 November 2026 in Zurich.
@Suite struct EscalationExplanationTests {
  private func steps(_ fixture: EscalationFixture) throws -> [String] {
    try fixture.explain().reminders.map { explained in
      [explained.step?.words ?? "no step", explained.reminder.state.name, explained.step?.obstacleWords]
        .compactMap(\.self).joined(separator: "; ")
    }
  }

  @Test("an escalation is told with its origin: the category's comes before the list's")
  func origin() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add(nag: "15m")
    let explanation = try fixture.explain()
    #expect(explanation.escalation?.origin.description == "the lists 'Groceries'")
    #expect(explanation.reasons.contains { $0.hasPrefix("escalation 'home' of the lists 'Groceries': 3 steps") })
    #expect(explanation.reasons.contains("its nag every 15m is ignored: the escalation replaces it"))
    #expect(!explanation.reasons.contains { $0.hasPrefix("rings again every") })
    #expect(explanation.reasons.contains("step 1 goes to anna-phone"))
    fixture.engine.settings.categories = [Category(identifier: "all", escalation: EscalationRule(name: "home"))]
    try fixture.engine.edit { $0.category = "all" }
    #expect(try fixture.explain().escalation?.origin == .category("all"))
    fixture.engine.settings.categories = []
    fixture.engine.settings.lists = []
    let without = try fixture.explain()
    #expect(without.escalation == nil && without.unanswered.isEmpty)
    #expect(without.reasons.contains("rings again every 15m until checked"))
  }

  @Test("the urgency is told with its source, and a step has its own, which quiet hours may let through")
  func urgency() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add(due: "2026-11-21T11:50")
    #expect(try fixture.explain().urgency == .normal)
    #expect(try !fixture.explain().reasons.contains { $0.contains("urgency") })
    try fixture.engine.edit { $0.priority = .set(.high) }
    #expect(try fixture.explain().reasons.contains("urgency high, of its priority"))
    fixture.engine.settings.lists = fixture.engine.settings.lists.map {
      ListRule(pattern: $0.pattern, escalation: $0.escalation, alert: AlertOverride(urgency: .low))
    }
    #expect(try fixture.explain().reasons.contains("urgency low, of the lists 'Groceries'"))
    let quiet = QuietHours(
      from: TimeOfDay(minutesSinceMidnight: 690), to: TimeOfDay(minutesSinceMidnight: 750), except: .critical)
    fixture.engine.settings.people = ["anna", "ben"].map { Person(name: $0, sinks: ["\($0)-phone"], quietHours: quiet) }
    let ten = try lead("10m")
    fixture.engine.settings.escalations = [
      Escalation(
        name: "home",
        steps: [Escalation.Step(to: ["anna"]), Escalation.Step(after: ten, to: ["ben"], urgency: .critical)])
    ]
    let explanation = try fixture.explain()
    #expect(
      explanation.reasons.contains {
        $0.hasPrefix("anna is quiet from 11:30 to 12:30, except critical reminders: held")
      })
    let rings = try only(explanation.unanswered).rings
    #expect(rings.map(\.urgency) == [.low, .critical])
    #expect(rings.map { $0.receivers[0].heldUntil == nil } == [false, true])
    try fixture.ring("11:50")
    #expect(try fixture.ring("12:00") == ["ben-phone 2.1"])
    let message = try fixture.engine.store.read { view in
      try view.message(id: #require(fixture.engine.deliveries().last).messageID)
    }
    #expect(message?.urgency == .critical && message?.isSilent == false)
    #expect(try fixture.engine.deliveries().map { $0.permittedFrom > $0.fireDate.date } == [true, false])
  }

  @Test("each step is told with its people while it is to come and once it was made")
  func made() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    #expect(try steps(fixture) == ["step 1 of 3 to anna; scheduled"])
    for time in ["10:00", "10:10", "10:30"] { try fixture.ring(time) }
    #expect(
      try steps(fixture) == [
        "step 1 of 3 to anna; fired", "step 2 of 3 to ben; fired", "step 3 of 3 to anna and ben; fired",
        "step 3 of 3, ring 2, to anna and ben; scheduled",
      ])
    #expect(try fixture.explain().verdict.hasSuffix(", as step 3 of its escalation."))
    try fixture.answers.answer(.acknowledge)
    #expect(try steps(fixture).last == "step 3 of 3, ring 2; cancelled")
    #expect(try fixture.explain().unanswered.isEmpty)
  }

  @Test("the config of today does not change who was asked")
  func changedConfig() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add()
    for time in ["10:00", "10:10"] { try fixture.ring(time) }
    fixture.engine.settings.lists = []
    #expect(
      try steps(fixture) == ["step 1 of 3 to anna; fired", "step 2 of 3 to ben; fired", "step 3; scheduled"])
  }

  @Test("a reminder that rang before there was an escalation is no step")
  func before() throws {
    var fixture = try EscalationFixture()
    let rules = fixture.engine.settings.lists
    fixture.engine.settings.lists = []
    try fixture.answers.add()
    try fixture.ring("10:00")
    fixture.engine.settings.lists = rules
    #expect(try steps(fixture) == ["no step; fired"])
  }

  @Test("a step that was skipped says why, and what followed")
  func skipped() throws {
    var fixture = try EscalationFixture()
    try fixture.sendAway("anna")
    try fixture.answers.add()
    #expect(try fixture.explain().reasons.contains("goes to nobody: anna is away then"))
    try fixture.ring("10:00")
    #expect(
      try steps(fixture).prefix(2) == [
        "step 1 of 3; fired; nobody was reached, anna was away: the next step came at once",
        "step 2 of 3 to ben; fired",
      ])
  }

  @Test("a step whose deliveries all failed says so, once the next has taken over")
  func failed() async throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    let refusing = RecordingSink { _, _ in .never(reason: "no such number") }
    let sinks = ["anna-phone": refusing, "ben-phone": RecordingSink()]
    let daemon = try TestDaemon(
      fixture.engine.belfry, sinks: sinks.sorted { $0.key < $1.key }.map { ActiveSink(name: $0.key, sink: $0.value) })
    for time in ["10:00:00", "10:00:10", "10:20:00", "10:21:00"] {
      try fixture.engine.setClock("2026-11-21T\(time)+01:00")
      try await daemon.tick()
    }
    #expect(
      try steps(fixture).prefix(3) == [
        "step 1 of 3 to anna; fired; nobody was reached, every delivery failed: the next step came at once",
        "step 2 of 3 to ben; fired", "step 3 of 3 to anna and ben; fired",
      ])
  }

  // MARK: If nobody answers

  @Test("a scheduled step that the config no longer has does not hide whom the item reaches now")
  func lost() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    fixture.engine.settings.lists = []
    fixture.engine.settings.routes = [Route(sinks: ["desk-phone"])]
    #expect(try fixture.explain().reasons.last == "goes to desk-phone")
  }

  @Test("before it begins: each ring with its recipients, addresses, quiet hours and who is away")
  func unanswered() throws {
    var fixture = try EscalationFixture(EscalationRule(name: "home", againAfter: try lead("1h")))
    let absence = try #require(Absence(from: wall("2026-11-21T00:00"), until: wall("2026-11-21T12:15")))
    let quiet = QuietHours(
      from: TimeOfDay(minutesSinceMidnight: 690), to: TimeOfDay(minutesSinceMidnight: 12 * 60 + 30))
    fixture.engine.settings.people = [
      Person(name: "anna", sinks: ["mail", "anna-phone"], address: "anna@example.org", away: [absence]),
      Person(name: "ben", sinks: ["ben-phone"], quietHours: quiet),
    ]
    try fixture.answers.add(due: "2026-11-21T11:50")
    let unanswered = try only(fixture.explain().unanswered)
    #expect(!unanswered.isUnderWay && unanswered.end == nil)
    let shown = try unanswered.rings.map { ring in
      let receivers = try ring.receivers.map { receiver in
        let held =
          try receiver.heldUntil.map { " \(receiver.isOmitted ? "left out" : "held") until \(try fixture.clock($0))" }
          ?? ""
        return [receiver.sink, receiver.person, receiver.address].compactMap(\.self).joined(separator: " ") + held
      }
      let away = try ring.absentees.map { "\($0.person) away until \(try fixture.clock($0.until))" }
      let time = try fixture.clock(ring.fireDate.date)
      return "\(time) \(ring.place.step).\(ring.place.ring): " + (receivers + away).joined(separator: ", ")
    }
    #expect(
      shown == [
        "11:50 1.1: anna away until 12:15", "11:50 2.1: ben-phone ben held until 12:30",
        "12:10 3.1: ben-phone ben left out until 12:30, anna away until 12:15",
        "12:20 3.2: mail anna anna@example.org held until 13:00, anna-phone anna, ben-phone ben left out until 12:30",
        "12:30 3.3: mail anna anna@example.org left out until 13:00, anna-phone anna, ben-phone ben",
      ])
  }

  @Test("under way: what was made comes first, with its deliveries; then what is to come")
  func underWay() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    for time in ["10:00", "10:10"] { try fixture.ring(time) }
    let unanswered = try only(fixture.explain().unanswered)
    #expect(unanswered.isUnderWay)
    #expect(try fixture.clock(unanswered.start) == "10:00")
    #expect(unanswered.rings.map(\.isMade) == [true, true, false, false, false])
    #expect(unanswered.rings.map(\.place.step) == [1, 2, 3, 3, 3])
    #expect(unanswered.rings.prefix(2).flatMap(\.receivers).map(\.person) == ["anna", "ben"])
    #expect(unanswered.rings.prefix(2).flatMap(\.receivers).allSatisfy { $0.state == .pending })
  }

  @Test("each alert has an escalation of its own, and a repeat ends the one under way")
  func several() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(alerts: ["30m", "0m"])
    #expect(try fixture.explain().unanswered.map { try fixture.clock($0.start) } == ["09:30", "10:00"])
    let repeating = try EscalationFixture()
    try repeating.answers.add(rule: "FREQ=MINUTELY;INTERVAL=20")
    try repeating.ring("10:00")
    let unanswered = try repeating.explain().unanswered
    #expect(unanswered.map(\.isUnderWay) == [true, false])
    #expect(unanswered.map(\.rings.count) == [2, 2])
    #expect(try unanswered.compactMap(\.end).map { try repeating.clock($0.date) } == ["10:20", "10:40"])
  }

  @Test("an explanation in JSON has the escalation, each step, and the rings if nobody answers")
  func json() throws {
    let fixture = try EscalationFixture(EscalationRule(name: "home", againAfter: try lead("1h"), again: .once))
    try fixture.answers.add(nag: "15m")
    for time in ["10:00", "10:10"] { try fixture.ring(time) }
    let explanation = try fixture.explain()
    let shown = try fixture.engine.belfry.read { $0.json(explanation) }
    #expect(
      shown["escalation"] == [
        "name": "home", "category": .null, "lists": "Groceries", "steps": 3, "again_after": "PT1H", "again": "once",
        "notify_on_answer": true, "omitted_nag": "PT15M",
      ])
    let second = try #require(shown["reminders"]?.arrayValue?[1])
    #expect(second["kind"] == "escalation" && second["escalation"] == "home" && second["people"] == ["ben"])
    #expect(second["step"] == 2 && second["ring"] == 1 && second["obstacle"] == .null)
    let unanswered = try #require(shown["if_unanswered"]?.arrayValue?.first)
    #expect(unanswered["is_under_way"] == true && unanswered["ends_at"] == .null)
    #expect(unanswered["since"] == "2026-11-21T10:00:00+01:00")
    #expect(
      unanswered["rings"]?.arrayValue?[2] == [
        "step": 3, "ring": 1, "at": "2026-11-21T10:30:00+01:00", "is_made": false, "urgency": "normal",
        "recipients": [
          [
            "sink": "anna-phone", "person": "anna", "recipient": .null, "held_until": .null, "is_omitted": false,
            "state": .null,
          ],
          [
            "sink": "ben-phone", "person": "ben", "recipient": .null, "held_until": .null, "is_omitted": false,
            "state": .null,
          ],
        ],
        "away": [],
      ])
  }
}
