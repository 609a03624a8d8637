import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The steps to come, before anybody was asked and while they are made. It is 21 November 2026 in Zurich.
@Suite struct ForecastTests {
  /// An escalation of steps, as (minutes after the first, names, minutes between rings, rings).
  private static func steps(_ steps: [(Int, [String], Int, Int)]) -> Escalation {
    Escalation(
      name: "home",
      steps: steps.map { after, to, every, times in
        Escalation.Step(
          after: CalendarDuration(days: 0, minutes: after), to: to,
          every: every == 0 ? nil : CalendarDuration(days: 0, minutes: every), times: times)
      })
  }

  private static let escalations = [
    steps([(0, ["anna"], 0, 1), (10, ["ben"], 0, 1), (30, ["anna", "ben"], 10, 3)]),
    steps([(0, ["anna"], 3, 9), (10, ["ben"], 4, 2), (13, ["desk-phone"], 5, 4), (40, ["anna"], 1, 20)]),
    steps([(0, ["anna", "desk-phone"], 2, 5), (60, ["ben"], 1, 3)]),
    steps([(0, ["ben"], 5, 2), (10, ["anna"], 5, 2), (20, ["ben"], 0, 1), (30, ["ben", "anna"], 0, 1)]),
    steps([(0, ["desk-phone"], 0, 1)]),
  ]

  // What the forecast says at each stage is what the daemon then does, ring by ring.
  @Test(
    "the steps to come are those that ring", arguments: escalations.indices,
    [nil, "anna", "ben", "both"] as [String?])
  func comesTrue(escalation: Int, away: String?) throws {
    let fixture = try fixture(Self.escalations[escalation], away: away)
    try fixture.answers.add()
    var expected = try fixture.expected()
    try #require(!expected.isEmpty || away != nil)
    for stage in [595, 601, 612, 633] {
      let last = try #require([601, 612, 633, 720].first { $0 > stage })
      let made = try fixture.made(from: stage, to: last - 1)
      #expect(made == Array(expected.prefix(made.count)))
      #expect(try fixture.expected() == Array(expected.dropFirst(made.count)))
      expected = try fixture.expected()
    }
    #expect(expected.isEmpty)
  }

  private func fixture(_ escalation: Escalation, away: String?) throws -> EscalationFixture {
    var fixture = try EscalationFixture()
    fixture.engine.settings.escalations = [escalation]
    for name in ["anna", "ben"] where away == name || away == "both" { try fixture.sendAway(name) }
    return fixture
  }

  @Test("who leaves in the middle is asked until then, and from the return on", arguments: escalations)
  func leaving(escalation: Escalation) throws {
    var fixture = try fixture(escalation, away: nil)
    let absences = try [("10:02", "10:06"), ("10:35", "10:45")].map { from, until in
      try #require(Absence(from: wall("2026-11-21T\(from)"), until: wall("2026-11-21T\(until)")))
    }
    fixture.engine.settings.people = [
      Person(name: "anna", sinks: ["anna-phone"], away: absences), Person(name: "ben", sinks: ["ben-phone"]),
    ]
    try fixture.answers.add()
    let expected = try fixture.expected()
    #expect(!expected.contains { $0 >= "10:35" && $0 < "10:45" && $0.contains("anna") })
    #expect(try fixture.made(from: 600, to: 720) == expected)
  }

  @Test("steps that are late keep their distance, in the forecast as well")
  func late() throws {
    let fixture = try fixture(Self.escalations[1], away: nil)
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.engine.setClock("2026-11-21T11:00:00+01:00")
    let expected = try fixture.expected()
    #expect(expected.first == "11:00 anna-phone 1.2")
    #expect(try fixture.made(from: 660, to: 780) == expected)
  }

  @Test("the next ringing ends the steps of the one before: of a repeat, and of a snooze")
  func nextRinging() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(rule: "FREQ=MINUTELY;INTERVAL=20;COUNT=2")
    #expect(
      try fixture.plan() == ["10:00 then ben 10:10", "10:20 then ben 10:30; anna and ben 10:50 and 2 more times"])
    #expect(try fixture.expected() == ["10:00 anna-phone 1.1", "10:10 ben-phone 2.1"])
    let snoozed = try EscalationFixture()
    try snoozed.answers.add()
    _ = try snoozed.engine.belfry.snooze(1, until: .at(wall("2026-11-21T09:45")))
    #expect(
      try snoozed.plan() == [
        "09:45 then ben 09:55", "10:00 then ben 10:10; anna and ben 10:30 and 2 more times",
      ])
    let expected = try snoozed.expected()
    #expect(try snoozed.made(from: 580, to: 700) == expected)
  }

  @Test("a plan ends the steps of its last reminder where the one after it rings")
  func horizon() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(rule: "FREQ=MINUTELY;INTERVAL=20")
    let hours = try fixture.plan(days: 1.0 / 24)
    #expect(hours == ["10:00 then ben 10:10"])
  }

  // MARK: The short form

  @Test("steps that are scheduled show as what they are, and no step is counted twice")
  func countedOnce() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    #expect(try fixture.plan() == ["10:00 then ben 10:10; anna and ben 10:30 and 2 more times"])
    try fixture.ring("10:00")
    #expect(try fixture.plan() == ["10:10 step 2 of 3 to ben; then anna and ben 10:30 and 2 more times"])
    try fixture.ring("10:10")
    #expect(try fixture.plan() == ["10:30 step 3 of 3 to anna and ben; then anna and ben 10:40 and once more"])
    try fixture.ring("10:30")
    #expect(try fixture.plan() == ["10:40 step 3 of 3, ring 2, to anna and ben; then anna and ben 10:50"])
    try fixture.ring("10:40")
    #expect(try fixture.plan() == ["10:50 step 3 of 3, ring 3, to anna and ben"])
  }

  @Test("of two steps that are scheduled, each carries what follows it alone")
  func carriers() throws {
    let fixture = try fixture(Self.escalations[2], away: nil)
    try fixture.answers.add()
    try fixture.ring("10:00")
    #expect(
      try fixture.plan() == [
        "10:02 step 1 of 2, ring 2, to anna and desk-phone; then anna and desk-phone 10:04 and 2 more times",
        "11:00 step 2 of 2 to ben; then ben 11:01 and once more",
      ])
  }

  @Test("a step that reaches nobody says so, and a long escalation is cut short")
  func words() throws {
    let away = try fixture(Self.escalations[0], away: "ben")
    try away.answers.add()
    #expect(try away.plan() == ["10:00 then ben (nobody is reached) 10:10; anna 10:10 and 2 more times"])
    let many = (0..<7).map { ($0 * 300, ["desk-phone"], 0, 1) }
    let long = try fixture(Self.steps(many), away: nil)
    try long.answers.add()
    #expect(
      try long.plan(days: 0.1) == [
        "10:00 then desk-phone 15:00; desk-phone 20:00; desk-phone tomorrow 01:00; desk-phone tomorrow 06:00; "
          + "2 more steps"
      ])
  }

  @Test("neither nags nor reminders without an escalation have steps")
  func others() throws {
    var fixture = try EscalationFixture()
    fixture.engine.settings.lists = []
    try fixture.answers.add(nag: "5m")
    #expect(try fixture.plan() == ["10:00 "])
    try fixture.ring("10:00")
    #expect(try fixture.plan() == ["10:05 "])
    let entry = try only(fixture.entries())
    #expect(entry.reach.sinks == ["anna-phone", "ben-phone", "desk-phone", "mail"])
    #expect(entry.reach.people == ["anna", "ben"])
  }

  @Test("a step that the config no longer has says so, and the plan goes on with the one that takes its place")
  func lost() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.ring("10:10")
    fixture.engine.settings.escalations = [Self.steps([(0, ["anna"], 0, 1), (45, ["desk-phone"], 0, 1)])]
    #expect(try fixture.plan() == ["10:30 step 3, which the config no longer has; then desk-phone 10:45"])
    fixture.engine.settings.lists = []
    #expect(try fixture.plan() == ["10:30 step 3, which the config no longer has"])
    #expect(try fixture.explain().verdict.hasSuffix("will not ring again."))
  }

  // MARK: JSON

  @Test("a scheduled step in JSON has its kind, step, ring, escalation and people; a plan has the steps to come")
  func json() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    let entry = try only(fixture.entries())
    let (pending, planned) = try fixture.engine.belfry.read { reading in
      var forecast = Forecast(reading, settings: fixture.engine.settings, sinks: EscalationFixture.activeSinks)
      let pending = try only(reading.view.pending())
      return (reading.json(pending, forecast.reach(of: pending)), reading.json(entry))
    }
    for shown in [pending, planned] {
      #expect(shown["kind"] == "escalation" && shown["escalation"] == "home")
      #expect(shown["step"] == 2 && shown["ring"] == 1)
      #expect(shown["people"] == ["ben"] && shown["sinks"] == ["ben-phone"])
    }
    #expect(
      planned["steps"] == [
        ["step": 3, "at": "2026-11-21T10:30:00+01:00", "to": ["anna", "ben"], "every": "PT10M", "times": 3]
      ])
  }
}
