import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

import TestSupport

@Suite struct PlannerTests {
  private static let zones = ZoneDatabase(environment: [:])

  private func planner(_ zone: String = "Europe/Zurich") throws -> Planner {
    Planner(floatingZone: try Self.zones.zone(zone), zones: Self.zones)
  }

  private func plan(_ item: Item, in zone: String = "Europe/Zurich") throws -> [PlannedReminder] {
    try planner(zone).reminders(for: item, known: [], now: Sample.now)
  }

  private func item(
    due: String, alerts: [String] = ["0m"], zone: ItemZone = .floating, in floatingZone: String = "Europe/Zurich"
  ) throws -> Item {
    let planner = try planner(floatingZone)
    return Sample.item(
      due: try planner.resolve(wall(due), in: planner.zone(zone)), alerts: try alerts.map(lead), zone: zone)
  }

  struct Lead: CustomTestStringConvertible {
    let zone: String
    let due: String
    let lead: String
    let rings: String

    init(_ zone: String, _ due: String, _ lead: String, _ rings: String) {
      (self.zone, self.due, self.lead, self.rings) = (zone, due, lead, rings)
    }

    var testDescription: String { "\(lead) before \(due) in \(zone)" }
  }

  @Test(
    "a day of lead time is a day on the wall clock, an hour is sixty minutes",
    arguments: [
      Lead("Europe/Zurich", "2026-11-21T09:00", "0m", "2026-11-21T09:00+01:00"),
      Lead("Europe/Zurich", "2026-11-21T09:00", "10m", "2026-11-21T08:50+01:00"),
      // The clocks go forward on 29 March.
      Lead("Europe/Zurich", "2026-03-29T12:00", "1d", "2026-03-28T12:00+01:00"),
      Lead("Europe/Zurich", "2026-03-29T12:00", "24h", "2026-03-28T11:00+01:00"),
      Lead("Europe/Zurich", "2026-03-29T12:00", "1d2h", "2026-03-28T10:00+01:00"),
      Lead("Europe/Zurich", "2026-04-03T12:00", "1w", "2026-03-27T12:00+01:00"),
      // They go back on 25 October.
      Lead("Europe/Zurich", "2026-10-25T12:00", "1d", "2026-10-24T12:00+02:00"),
      Lead("Europe/Zurich", "2026-10-25T12:00", "24h", "2026-10-24T13:00+02:00"),
      // A skipped time moves forward; of a repeated one, the first counts.
      Lead("Europe/Zurich", "2026-03-29T02:30", "0m", "2026-03-29T03:30+02:00"),
      Lead("Europe/Zurich", "2026-03-30T02:30", "1d", "2026-03-29T03:30+02:00"),
      Lead("Europe/Zurich", "2026-10-25T02:30", "0m", "2026-10-25T02:30+02:00"),
      Lead("Europe/Zurich", "2026-10-26T02:30", "1d", "2026-10-25T02:30+02:00"),
      Lead("Europe/Zurich", "2026-10-26T02:30", "24h", "2026-10-25T02:30+01:00"),
      Lead("America/New_York", "2026-03-08T02:30", "0m", "2026-03-08T03:30-04:00"),
      Lead("America/New_York", "2026-03-08T12:00", "24h", "2026-03-07T11:00-05:00"),
      Lead("America/New_York", "2026-11-01T01:30", "0m", "2026-11-01T01:30-04:00"),
      Lead("Australia/Lord_Howe", "2026-10-04T12:00", "1d", "2026-10-03T12:00+10:30"),
      Lead("Australia/Lord_Howe", "2026-10-04T12:00", "24h", "2026-10-03T11:30+10:30"),
      Lead("Australia/Lord_Howe", "2026-10-04T02:10", "0m", "2026-10-04T02:40+11:00"),
      // Samoa skipped 30 December 2011.
      Lead("Pacific/Apia", "2011-12-31T09:00", "1d", "2011-12-31T09:00+14:00"),
      Lead("Pacific/Apia", "2011-12-31T09:00", "24h", "2011-12-29T09:00-10:00"),
      Lead("Asia/Kathmandu", "2026-11-21T09:00", "0m", "2026-11-21T09:00+05:45"),
      Lead("Africa/Casablanca", "2026-02-15T12:00", "24h", "2026-02-14T13:00+01:00"),
    ])
  func leads(_ each: Lead) throws {
    let item = try item(due: each.due, alerts: [each.lead], in: each.zone)
    let reminder = try only(plan(item, in: each.zone))
    #expect(try short(Self.zones.zone(each.zone).rfc3339(reminder.fireDate.date)) == each.rings)
  }

  @Test("random due dates and leads ring when Python's zoneinfo says")
  func agreesWithPython() throws {
    let zones = ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "America/Caracas"]
    var generator = SeededGenerator(seed: 24)
    var asked: [(zone: String, due: WallTime, days: Int, minutes: Int)] = []
    for _ in 0..<4_000 {
      // From 2000 to 2060.
      let due = WallTime(minutesSinceEpoch: Int.random(in: 15_778_080..<47_336_000, using: &generator))
      asked.append(
        (
          zones.randomElement(using: &generator) ?? "UTC", due, Int.random(in: 0...3, using: &generator),
          [0, 0, 10, 1_440, Int.random(in: 0...4_000, using: &generator)].randomElement(using: &generator) ?? 0
        ))
    }
    let answers = try Python.lines(
      """
      import sys
      from datetime import datetime, timedelta
      from zoneinfo import ZoneInfo
      epoch = datetime(1970, 1, 1)
      for line in sys.stdin:
          zone, due, days, minutes = line.split()
          wall = epoch + timedelta(minutes=int(due)) - timedelta(days=int(days))
          offset = wall.replace(tzinfo=ZoneInfo(zone)).utcoffset()
          print(int((wall - offset - epoch).total_seconds()) - 60 * int(minutes))
      """, asked.map { "\($0.zone) \($0.due.minutesSinceEpoch) \($0.days) \($0.minutes)" })
    try #require(answers.count == asked.count)
    var differences: [String] = []
    for (question, answer) in zip(asked, answers) {
      let planner = try planner(question.zone)
      let item = Sample.item(
        due: try planner.resolve(question.due, in: planner.floatingZone),
        alerts: [CalendarDuration(days: question.days, minutes: question.minutes)])
      let reminders = try planner.reminders(for: item, known: [], now: Sample.now)
      if reminders.map({ "\($0.fireDate.secondsSinceEpoch)" }) != [answer] {
        differences.append("\(question): \(reminders.map(\.fireDate.secondsSinceEpoch)), not \(answer)")
      }
    }
    #expect(differences.prefix(10) == [])
  }

  @Test("each alert is a reminder of its own")
  func severalAlerts() throws {
    let reminders = try plan(item(due: "2026-11-21T12:00", alerts: ["1d", "24h", "10m", "0m"]))
    #expect(Set(reminders.map(\.id)).count == 4)
    #expect(Set(reminders.map(\.fireDate)).count == 3)
    #expect(try Set(reminders.map(\.occurrence.lead)) == Set(["1d", "24h", "10m", "0m"].map(lead)))
    #expect(try reminders.allSatisfy { try $0.occurrence.wallTime == wall("2026-11-21T12:00") })
  }

  @Test("a checked, undated or disabled item has no reminders")
  func asksForNothing() throws {
    let asking = try item(due: "2026-11-21T12:00")
    #expect(try plan(asking).count == 1)
    var checked = asking
    checked.isChecked = true
    var silent = asking
    silent.shouldRemind = false
    var undated = asking
    undated.due = nil
    for item in [checked, silent, undated] { #expect(try plan(item) == []) }
  }

  @Test("a floating item rings by the clock of the floating zone, a fixed one by its own")
  func zones() throws {
    for (floating, zone, expected) in [
      ("Europe/Zurich", ItemZone.floating, "2026-11-21T11:00:00Z"),
      ("America/New_York", .floating, "2026-11-21T17:00:00Z"),
      ("America/New_York", .fixed("Asia/Tokyo"), "2026-11-21T03:00:00Z"),
    ] {
      let item = try item(due: "2026-11-21T12:00", zone: zone, in: floating)
      #expect(try plan(item, in: floating).map(\.fireDate.date) == [instant(expected)])
    }
  }

  @Test("an unknown zone is refused with the nearest names")
  func unknownZone() throws {
    let error = #expect(throws: BelfryError.self) { try planner().zone(.fixed("Europe/Zurch")) }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains("Europe/Zurich") == true)
  }

  @Test("a lead that reaches back before 1970 is left out, the others stay")
  func beforeTheEpoch() throws {
    let item = try item(due: "1970-01-01T05:00", alerts: ["1d", "0m"], in: "UTC")
    #expect(try plan(item, in: "UTC").map(\.fireDate.secondsSinceEpoch) == [18_000])
  }

  @Test("a due date outside the years 1970 to 9999 is refused", arguments: ["1969-12-31T23:59", "0001-01-01T00:00"])
  func tooEarly(_ due: String) throws {
    let error = #expect(throws: BelfryError.self) { try planner("UTC").resolve(wall(due), in: .utc) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(due) == true)
  }

  @Test("the last minute of 9999 is a due date in UTC, and none where the instant is later")
  func lastMinute() throws {
    let due = try planner("UTC").resolve(wall("9999-12-31T23:59"), in: .utc)
    #expect(due.instant.secondsSinceEpoch == 253_402_300_740)
    #expect(throws: BelfryError.self) {
      try planner().resolve(wall("9999-12-31T23:59"), in: Self.zones.zone("America/New_York"))
    }
  }

  @Test("a list's own reminder asks for one ringing while something is unchecked")
  func listReminder() throws {
    let reminder = ListReminder(due: try Sample.due(60), zone: .fixed("UTC"))
    let list = Sample.list(reminder: reminder)
    let planned = try planner().reminders(for: list, unchecked: 1, known: [], now: Sample.now)
    #expect(planned.map(\.fireDate) == [try Sample.fireDate(60)])
    #expect(planned.map(\.occurrence.owner) == [.list(1)])
    #expect(try planner().reminders(for: list, unchecked: 0, known: [], now: Sample.now) == [])
    #expect(try planner().reminders(for: Sample.list(), unchecked: 1, known: [], now: Sample.now) == [])
  }

  @Test("an occurrence has one identity in every zone, and another for every owner, time and lead")
  func identity() throws {
    let due = "2026-11-21T12:00"
    let zurich = try only(plan(item(due: due)))
    let newYork = try only(plan(item(due: due, in: "America/New_York"), in: "America/New_York"))
    #expect(zurich.id == newYork.id)
    #expect(zurich.fireDate != newYork.fireDate)
    let time = try wall(due)
    let occurrences = [
      Occurrence(owner: .item(1), wallTime: time, lead: .zero),
      Occurrence(owner: .list(1), wallTime: time, lead: .zero),
      Occurrence(owner: .item(1), wallTime: time.adding(days: 0, minutes: 1), lead: .zero),
      Occurrence(owner: .item(1), wallTime: time, lead: try lead("1d")),
      Occurrence(owner: .item(1), wallTime: time, lead: try lead("24h")),
      Occurrence(owner: .item(1), wallTime: time, lead: .zero, kind: .snooze(1)),
      Occurrence(owner: .item(1), wallTime: time, lead: .zero, kind: .nag(1)),
      Occurrence(owner: .item(1), wallTime: time, lead: .zero, kind: .escalation(.init(run: 1, step: 1, ring: 2))),
      Occurrence(owner: .item(1), wallTime: time, lead: .zero, kind: .escalation(.init(run: 1, step: 2, ring: 1))),
      Occurrence(owner: .item(1), wallTime: time, lead: .zero, kind: .escalation(.init(run: 2, step: 1, ring: 1))),
    ]
    let identities = occurrences.map { $0.reminderID(ownerUUID: Sample.uuid("item 1")) }
    #expect(Set(identities).count == occurrences.count)
    #expect(identities[0] == zurich.id)
    #expect(identities[0] != occurrences[0].reminderID(ownerUUID: Sample.uuid("item 2")))
    // The number in the store is not part of it: a copy in another store keeps its identifier.
    let copy = Occurrence(owner: .item(77), wallTime: time, lead: .zero)
    #expect(copy.reminderID(ownerUUID: Sample.uuid("item 1")) == zurich.id)
  }
}
