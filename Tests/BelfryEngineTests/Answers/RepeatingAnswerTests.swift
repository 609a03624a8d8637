import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Answers to the reminders of items that repeat. Milk rings at 10:00 each day from 21 November 2026, a Saturday.
@Suite struct RepeatingAnswerTests {
  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add(nag: "6h", rule: "FREQ=DAILY")
    for time in ["10:00", "11-22T10:00", "11-23T10:00"] { try fixture.ring(time) }
  }

  /// The rings of the three days, without the nags in between.
  private func rung() throws -> [Reminder] { try fixture.fired().filter { $0.occurrence.kind == .planned } }

  @Test(
    "a check moves to the first occurrence after the one answered, even a past one; later rings and their nag stay",
    arguments: [(0, "2026-11-22T10:00", true), (1, "2026-11-23T10:00", true), (2, "2026-11-24T10:00", false)])
  func check(answered: Int, due: String, nags: Bool) throws {
    let rung = try rung()
    #expect(rung.count == 3)
    #expect(try fixture.answer(.check, on: rung[answered]).reply == "checked 'Milk'")
    #expect(try fixture.due() == due)
    #expect(try fixture.extra() == (nags ? ["nag 16:00"] : []))
    // The days before it are over, those after it are not.
    for (index, reminder) in rung.enumerated() where index <= answered {
      #expect(try fixture.answer(.check, on: reminder).effect == .already)
    }
    #expect(try fixture.due() == due)
    guard answered < 2 else { return }
    #expect(try fixture.answer(.acknowledge, on: rung[2]).effect == .done)
    #expect(try fixture.extra().isEmpty)
  }

  @Test("each occurrence that was answered in turn is checked once")
  func each() throws {
    for reminder in try rung() { #expect(try fixture.answer(.check, on: reminder).effect == .done) }
    #expect(try fixture.due() == "2026-11-24T10:00")
    #expect(try fixture.engine.scheduled() == ["2026-11-24T10:00+01:00"])
  }

  @Test("taking back a check brings its occurrence back, as long as no later one was checked")
  func takeBack() throws {
    let rung = try rung()
    let first = try fixture.answer(.check, on: rung[0])
    let second = try fixture.answer(.check, on: rung[1])
    let error = #expect(throws: BelfryError.self) { try fixture.takeBack(first) }
    #expect(error?.kind == .badInput && error?.hint?.contains("'belfry take-back \(second.id)' first") == true)
    #expect(try fixture.due() == "2026-11-23T10:00")
    try fixture.takeBack(second)
    #expect(try fixture.due() == "2026-11-22T10:00")
    try fixture.takeBack(first)
    #expect(try fixture.due() == "2026-11-21T10:00")
    // The nag of the last ring went on all the time.
    #expect(try fixture.extra() == ["nag 16:00"])
    #expect(try fixture.engine.scheduled().contains("2026-11-24T10:00+01:00"))
    #expect(try fixture.answer(.check, on: rung[2]).effect == .done)
    #expect(try fixture.due() == "2026-11-24T10:00")
  }

  @Test("a check that is taken back brings also what was left out while the clock was ahead; nothing rings twice")
  func clockAhead() throws {
    let fixture = try AnswerFixture()
    try fixture.add(rule: "FREQ=DAILY")
    // The 22nd is missed, the 26th rings late, and the days between them are left out.
    for time in ["10:00", "11-27T09:00", "11:00"] { try fixture.ring(time) }
    #expect(try fixture.engine.scheduled() == ["2026-11-27T10:00+01:00"])
    let check = try fixture.answer(.check, on: fixture.fired().first)
    try fixture.takeBack(check)
    #expect(try fixture.due() == "2026-11-21T10:00")
    #expect(try fixture.engine.scheduled() == ["2026-11-23T10:00+01:00"])
    for day in 22...27 { try fixture.ring("11-\(day)T10:00") }
    let days = try fixture.fired().map(\.occurrence.wallTime.description)
    #expect(days == [21, 23, 24, 25, 26, 27].map { "2026-11-\($0)T10:00" })
    #expect(try fixture.engine.deliveries().count == days.count)
  }

  @Test("an occurrence that the rule no longer has is gone, one before the due date is over")
  func otherRule() throws {
    let rung = try rung()
    try fixture.engine.edit { $0.due = .at(try wall("2026-11-21T11:00")) }
    #expect(try rung.map { try fixture.answer(.check, on: $0).effect } == [.already, .gone, .gone])
    #expect(try fixture.due() == "2026-11-21T11:00")
  }

  @Test("over the night that skips an hour each occurrence is answered at its own time")
  func clocks() throws {
    let fixture = try AnswerFixture(zone: "Europe/Zurich")
    try fixture.engine.setClock("2027-03-26T12:00:00+01:00")
    try fixture.add(due: "2027-03-27T02:30", rule: "FREQ=DAILY")
    for time in ["2027-03-27T02:30:00+01:00", "2027-03-28T03:30:00+02:00", "2027-03-29T02:30:00+02:00"] {
      try fixture.engine.setClock(time)
      try fixture.engine.claim()
    }
    let rung = try fixture.fired()
    #expect(rung.count == 3)
    try fixture.answer(.check, on: rung[0])
    #expect(try fixture.due() == "2027-03-28T02:30")
    try fixture.answer(.check, on: rung[1])
    #expect(try fixture.due() == "2027-03-29T02:30")
    let snooze = try fixture.answer(.snooze, on: rung[2])
    #expect(snooze.reply.contains("03:30"), "\(snooze)")
  }

  @Test("COUNT comes to its end by answers")
  func count() throws {
    let fixture = try AnswerFixture()
    try fixture.add(rule: "FREQ=DAILY;COUNT=2")
    for time in ["10:00", "11-22T10:00"] { try fixture.ring(time) }
    let rung = try fixture.fired()
    try fixture.answer(.check, on: rung[0])
    #expect(try fixture.items() == ["1 Milk"])
    let last = try fixture.answer(.check, on: rung[1])
    #expect(try fixture.items() == ["1 Milk checked"])
    try fixture.takeBack(last)
    #expect(try fixture.items() == ["1 Milk"] && fixture.due() == "2026-11-22T10:00")
  }
}

/// Answers to a list's own reminder.
@Suite struct ListAnswerTests {
  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    for text in ["Milk", "Oats"] { try fixture.add(text, due: nil) }
    try fixture.add("Nails", due: nil, to: "Shed")
    _ = try fixture.engine.belfry.remindList(
      "Groceries", ListReminderDraft(at: wall("2026-11-21T10:00"), category: "all"))
    try fixture.ring("10:00")
    // In the second in which it rang, and later.
    try fixture.add("Bread", due: nil)
    fixture.engine.time.advance(by: 60)
    try fixture.add("Salt", due: nil)
    try fixture.engine.edit(3) { $0.list = ListChoice("Groceries") }
  }

  @Test("check and clear_list never touch what came after it rang, and are taken back whole")
  func later() throws {
    #expect(try fixture.answer(.check, of: .list(1)).reply == "checked 2 items")
    #expect(
      try fixture.items() == ["1 Milk checked", "2 Oats checked", "4 Bread", "5 Salt", "3 Nails"])
    let cleared = try fixture.answer(.clearList, of: .list(1))
    #expect(cleared.reply == "deleted 2 items of the list 'Groceries'")
    #expect(try fixture.items() == ["4 Bread", "5 Salt", "3 Nails"])
    try fixture.takeBack(cleared)
    #expect(
      try fixture.items() == ["1 Milk checked", "2 Oats checked", "4 Bread", "5 Salt", "3 Nails"])
  }

  @Test("it is acknowledged and snoozed like any other, and has no item to delete")
  func others() throws {
    #expect(try fixture.answer(.acknowledge, of: .list(1)).effect == .done)
    #expect(try fixture.answer(.delete, of: .list(1)).effect == .gone)
    let snooze = try fixture.answer(.snooze, of: .list(1))
    #expect(snooze.reply.hasPrefix("snoozed the list 'Groceries' until Sat 21 Nov 2026 11:01"), "\(snooze)")
    #expect(try fixture.extra(.list(1)) == ["snooze 11:01"])
    try fixture.takeBack(snooze)
    #expect(try fixture.extra(.list(1)).isEmpty)
  }

  @Test("where all that it named is done already nothing is left to do")
  func nothingLeft() throws {
    _ = try fixture.engine.belfry.setChecked(true, [1, 2])
    let answer = try fixture.answer(.check, of: .list(1))
    #expect(answer.effect == .already && answer.reply == "nothing was left to do")
  }

  @Test("of a deleted list nothing is left to do")
  func deleted() throws {
    _ = try fixture.engine.belfry.deleteList("Groceries")
    #expect(try fixture.answer(.check, of: .list(1)).effect == .gone)
  }
}
