import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// Repeats, checking, snooze and nag. It is 09:00 on Saturday, 2026-11-21 in Zurich.
@Suite struct RepeatTests {
  private let fixture = EngineFixture()

  private func add(
    due: String, rule: String? = nil, origin: Recurrence.Origin = .due, nag: String? = nil
  ) throws {
    let draft = ItemDraft(
      text: "item", due: try wall(due), shouldRemind: true, rule: try rule.map { try RecurrenceRule($0) },
      repeatOrigin: origin, nag: try nag.map { try CalendarDuration(parsing: $0) })
    _ = try fixture.belfry.add([draft], to: ListChoice("Groceries", createsMissing: true))
  }

  private func check(_ isChecked: Bool = true) throws -> Item {
    _ = try fixture.belfry.setChecked(isChecked, [1])
    return try fixture.item()
  }

  private func snooze(_ duration: String) throws {
    _ = try fixture.belfry.snooze(1, until: .after(CalendarDuration(parsing: duration)))
  }

  /// Fires everything due up to an instant, each at its time.
  private func ring(until end: String) throws {
    let end = try instant(end)
    while true {
      var next: Date?
      try fixture.store.read { try $0.forEachPending(limit: 1) { next = $0.reminder.fireDate.date } }
      guard let next, next <= end else { break }
      fixture.time.now = next
      try fixture.claim()
    }
    fixture.time.now = end
  }

  private func rang() throws -> [String] {
    try fixture.reminders().filter { $0.hasSuffix(" fired") }.map { String($0.dropLast(6)) }
  }

  @Test("an alert of the due date that is past already is told, once it has rung it is not")
  func pastAlert() throws {
    var draft = ItemDraft(
      text: "Pills", due: try wall("2026-11-21T09:05"), shouldRemind: true, rule: try RecurrenceRule("FREQ=DAILY"))
    draft.alerts = [CalendarDuration(days: 0, minutes: 10), .zero]
    let added = try #require(
      try fixture.belfry.add([draft], to: ListChoice("Groceries", createsMissing: true)).first)
    #expect(added.schedule.past == [try FireDate(instant("2026-11-21T07:55:00Z"))])
    #expect(try fixture.scheduled() == ["2026-11-21T09:05+01:00", "2026-11-22T08:55+01:00"])
    try ring(until: "2026-11-22T08:56:00+01:00")
    #expect(try check().due?.local == wall("2026-11-22T09:05"))
    #expect(try fixture.edit { $0.text = "Tablets" }.schedule.past == [])
  }

  // MARK: Checking

  @Test(
    "checking moves the due date to the first occurrence after now and after itself, and leaves it unchecked",
    arguments: [
      ("2026-11-21T08:00+01:00", "2026-11-22T10:00"), ("2026-11-21T10:00+01:00", "2026-11-22T10:00"),
      ("2026-11-25T09:59+01:00", "2026-11-25T10:00"), ("2026-11-25T10:00+01:00", "2026-11-26T10:00"),
    ])
  func checking(now: String, due: String) throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=DAILY")
    try fixture.setClock(now.replacing("+", with: ":00+"))
    let item = try check()
    #expect(!item.isChecked)
    #expect(item.due?.local == (try wall(due)))
    #expect(item.recurrence?.start == (try wall("2026-11-21T10:00")))
    #expect(try fixture.scheduled() == ["\(due)+01:00"])
  }

  @Test("an item is done when its last occurrence is checked")
  func lastOne() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=DAILY;COUNT=2")
    #expect(try check().due?.local == (try wall("2026-11-22T10:00")))
    #expect(try check().isChecked)
    #expect(try fixture.scheduled() == [])
    #expect(try check(false).due?.local == (try wall("2026-11-22T10:00")))
    #expect(try fixture.scheduled() == ["2026-11-22T10:00+01:00"])
  }

  @Test("unchecking brings back the occurrence that was checked last, once")
  func unchecking() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=WEEKLY")
    _ = try check()
    #expect(try check().due?.local == (try wall("2026-12-05T10:00")))
    #expect(try check(false).due?.local == (try wall("2026-11-28T10:00")))
    #expect(try check(false).due?.local == (try wall("2026-11-28T10:00")))
  }

  @Test("a fired reminder does not fire again when its item's check is undone")
  func rangAlready() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=WEEKLY")
    try ring(until: "2026-11-21T10:05:00+01:00")
    _ = try check()
    _ = try check(false)
    #expect(try fixture.scheduled() == ["2026-11-28T10:00+01:00"])
  }

  @Test(
    "counted from when it is done, the next is one interval after the check",
    arguments: [
      ("FREQ=DAILY;INTERVAL=3", "2026-11-24T09:07"), ("FREQ=MONTHLY;INTERVAL=3", "2027-02-21T09:07"),
      ("FREQ=HOURLY;INTERVAL=36", "2026-11-22T21:07"), ("FREQ=WEEKLY;BYDAY=MO", "2026-11-30T09:07"),
    ])
  func fromDone(rule: String, due: String) throws {
    try add(due: "2026-11-18T10:00", rule: rule, origin: .done)
    try fixture.setClock("2026-11-21T09:07:40+01:00")
    let item = try check()
    #expect(item.due?.local == (try wall(due)))
    #expect(try check(false).recurrence?.start == (try wall("2026-11-18T10:00")))
  }

  @Test("counted from when it is done, COUNT says how often it is to be done, and unchecking gives back")
  func countFromDone() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=DAILY;COUNT=3", origin: .done)
    #expect(try check().recurrence?.rule.description == "FREQ=DAILY;COUNT=2")
    #expect(try check(false).recurrence?.rule.description == "FREQ=DAILY;COUNT=3")
    for isLast in [false, false, true] { #expect(try check().isChecked == isLast) }
    #expect(try check(false).recurrence?.rule.description == "FREQ=DAILY;COUNT=1")
  }

  // MARK: Ringing

  @Test("every occurrence rings, checked or not, and the one that the clocks skip an hour later, once")
  func everyOccurrence() throws {
    try fixture.setClock("2027-03-26T12:00:00+01:00")
    try add(due: "2027-03-27T02:30", rule: "FREQ=DAILY;COUNT=3")
    try ring(until: "2027-04-10T00:00:00+02:00")
    #expect(try rang() == ["2027-03-27T02:30+01:00", "2027-03-28T03:30+02:00", "2027-03-29T02:30+02:00"])
  }

  @Test("missed reminders of several items, repeating ones included, go out in order of fire date")
  func missedInOrder() throws {
    var fixture = fixture
    fixture.settings.missed.policy = .all
    try add(due: "2026-11-21T10:00", rule: "FREQ=HOURLY;COUNT=4")
    try add(due: "2026-11-21T10:30", rule: "FREQ=HOURLY;COUNT=4")
    try add(due: "2026-11-21T12:15")
    try fixture.setClock("2026-11-22T09:00:00+01:00")
    while try fixture.claim(limit: 4).hasMore {}
    // Deliveries are numbered as they are claimed.
    let fireDates = try fixture.deliveries().map(\.fireDate)
    #expect(fireDates.count == 9)
    #expect(fireDates == fireDates.sorted())
  }

  // MARK: Snooze

  @Test("a snooze rings once more, a second one takes its place, and the repeat stays as it was")
  func snoozing() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=DAILY")
    try ring(until: "2026-11-21T10:02:30+01:00")
    try snooze("10m")
    try snooze("1h")
    #expect(try fixture.scheduled() == ["2026-11-21T11:02+01:00", "2026-11-22T10:00+01:00"])
    try ring(until: "2026-11-22T12:00:00+01:00")
    #expect(try rang() == ["2026-11-21T10:00+01:00", "2026-11-21T11:02+01:00", "2026-11-22T10:00+01:00"])
  }

  @Test("checking, re-dating, switching off and deleting end a snooze", arguments: ["check", "date", "off", "delete"])
  func snoozeEnds(how: String) throws {
    try add(due: "2026-11-21T10:00")
    try ring(until: "2026-11-21T10:02:00+01:00")
    try snooze("1h")
    switch how {
    case "check": _ = try check()
    case "date": try fixture.edit { $0.due = .at(try wall("2026-11-21T09:30")) }
    case "off": try fixture.edit { $0.shouldRemind = false }
    default: _ = try fixture.belfry.delete([1])
    }
    #expect(try fixture.scheduled() == [])
  }

  @Test("an item that does not ring cannot be snoozed")
  func nothingToSnooze() throws {
    try fixture.add("no date")
    let error = #expect(throws: BelfryError.self) { try snooze("10m") }
    #expect(error?.kind == .badInput)
  }

  // MARK: Nag

  @Test("a nag rings at most 24 times, until the item is checked")
  func nagging() throws {
    try add(due: "2026-11-21T10:00", nag: "30m")
    try ring(until: "2026-11-21T11:05:00+01:00")
    #expect(try rang() == ["2026-11-21T10:00+01:00", "2026-11-21T10:30+01:00", "2026-11-21T11:00+01:00"])
    try ring(until: "2026-11-23T00:00:00+01:00")
    #expect(try rang().count == 1 + Planner.nagLimit)
    #expect(try fixture.scheduled() == [])
  }

  @Test("a check ends the nagging, the next occurrence begins it anew")
  func nagEnds() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=DAILY", nag: "1h")
    try ring(until: "2026-11-21T10:20:00+01:00")
    _ = try check()
    #expect(try fixture.scheduled() == ["2026-11-22T10:00+01:00"])
    try ring(until: "2026-11-22T10:20:00+01:00")
    #expect(try fixture.scheduled() == ["2026-11-22T11:00+01:00", "2026-11-23T10:00+01:00"])
  }

  @Test("a snooze silences the nag until it has rung")
  func nagWaits() throws {
    try add(due: "2026-11-21T10:00", nag: "10m")
    try ring(until: "2026-11-21T10:15:00+01:00")
    try snooze("2h")
    #expect(try fixture.scheduled() == ["2026-11-21T12:15+01:00"])
    try ring(until: "2026-11-21T12:20:00+01:00")
    #expect(try fixture.scheduled() == ["2026-11-21T12:25+01:00"])
  }

  // MARK: A clock that was ahead

  @Test(
    "what was left out while the clock was ahead rings at its time once the item is planned anew; nothing rings twice")
  func clockAhead() throws {
    try add(due: "2026-11-21T10:00", rule: "FREQ=DAILY")
    try ring(until: "2026-11-21T10:00:00+01:00")
    try fixture.setClock("2026-11-27T09:00:00+01:00")
    try fixture.claim()
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    try fixture.claim()
    #expect(try fixture.scheduled() == ["2026-11-27T10:00+01:00"])
    try fixture.edit { $0.text = "changed" }
    #expect(try fixture.scheduled() == ["2026-11-23T10:00+01:00", "2026-11-27T10:00+01:00"])
    let fired = try rang().count
    try ring(until: "2026-11-27T10:00:00+01:00")
    #expect(try rang() == [21, 23, 24, 25, 26, 27].map { "2026-11-\($0)T10:00+01:00" })
    #expect(try rang().count == fired + 4, "that of the 26th rang while the clock was ahead")
  }
}
