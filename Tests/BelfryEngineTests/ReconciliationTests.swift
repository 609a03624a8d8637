import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Every row of the reminders' state table that a plan decides.
@Suite struct ReconciliationTests {
  private func planned(at minutes: Int, of owner: ReminderOwner = .item(1)) throws -> PlannedReminder {
    let reminder = try Sample.reminder(of: owner, at: minutes)
    return PlannedReminder(id: reminder.id, occurrence: reminder.occurrence, fireDate: reminder.fireDate)
  }

  @Test("a future occurrence is scheduled")
  func future() throws {
    let change = Reconciliation(planned: [try planned(at: 1)], existing: [], now: Sample.now)
    #expect(change.puts == [try Sample.reminder(of: .item(1), at: 1)])
    #expect(change.scheduled == [try Sample.fireDate(1)])
    #expect(change.past == [])
    #expect(change.cancelled == 0)
  }

  @Test("a past occurrence is not scheduled", arguments: [0, -1, -9_999])
  func past(minutes: Int) throws {
    let change = Reconciliation(planned: [try planned(at: minutes)], existing: [], now: Sample.now)
    #expect(change.puts == [])
    #expect(change.scheduled == [])
    #expect(change.past == [try Sample.fireDate(minutes)])
  }

  @Test("a minute that has begun is past, one that begins in a moment is not")
  func thisMinute() throws {
    let plan = [try planned(at: 0)]
    #expect(Reconciliation(planned: plan, existing: [], now: Sample.now + 30).puts == [])
    #expect(Reconciliation(planned: plan, existing: [], now: Sample.now).puts == [])
    #expect(Reconciliation(planned: plan, existing: [], now: Sample.now - 0.001).puts.count == 1)
  }

  @Test("a scheduled reminder that is still wanted is unchanged", arguments: [5, 0, -5])
  func stays(minutes: Int) throws {
    let existing = [try Sample.reminder(of: .item(1), at: minutes)]
    let change = Reconciliation(planned: [try planned(at: minutes)], existing: existing, now: Sample.now)
    #expect(change == Reconciliation(planned: [], existing: [], now: Sample.now))
  }

  @Test(
    "a scheduled reminder that is no longer wanted is cancelled, whether its time has passed or not",
    arguments: [5, 0, -5])
  func cancelled(minutes: Int) throws {
    var reminder = try Sample.reminder(of: .item(1), at: minutes, changedAt: Sample.now - 60)
    let change = Reconciliation(planned: [], existing: [reminder], now: Sample.now)
    reminder.state = .cancelled
    reminder.changedAt = Sample.now
    #expect(change.puts == [reminder])
    #expect(change.cancelled == 1)
  }

  @Test("a fired or missed reminder never fires again", arguments: [Reminder.State.fired, .missed], [-5, 5])
  func onceOnly(state: Reminder.State, minutes: Int) throws {
    let existing = [try Sample.reminder(of: .item(1), at: minutes, state: state)]
    for plan in [[], [try planned(at: minutes)]] {
      let change = Reconciliation(planned: plan, existing: existing, now: Sample.now)
      #expect(change == Reconciliation(planned: [], existing: [], now: Sample.now))
    }
  }

  @Test("a cancelled reminder is scheduled again if it is wanted in time")
  func cancelledComesBack() throws {
    let existing = [try Sample.reminder(of: .item(1), at: 5, state: .cancelled)]
    let change = Reconciliation(planned: [try planned(at: 5)], existing: existing, now: Sample.now)
    #expect(change.puts == [try Sample.reminder(of: .item(1), at: 5)])
    #expect(change.scheduled == [try Sample.fireDate(5)])
  }

  @Test("a cancelled reminder stays cancelled if it is wanted too late, or not at all")
  func cancelledStays() throws {
    let existing = [try Sample.reminder(of: .item(1), at: -5, state: .cancelled)]
    let late = Reconciliation(planned: [try planned(at: -5)], existing: existing, now: Sample.now)
    #expect(late.puts == [])
    #expect(late.past == [try Sample.fireDate(-5)])
    #expect(Reconciliation(planned: [], existing: existing, now: Sample.now).puts == [])
  }

  @Test("an occurrence whose instant has moved is scheduled at the new one, past or not", arguments: [90, -90])
  func moved(minutes: Int) throws {
    let plan = try planned(at: 5)
    let existing = [
      Reminder(
        id: plan.id, occurrence: plan.occurrence, fireDate: try Sample.fireDate(minutes), state: .scheduled,
        changedAt: Sample.now)
    ]
    let change = Reconciliation(planned: [plan], existing: existing, now: Sample.now)
    #expect(change.puts.map(\.fireDate) == [try Sample.fireDate(5)])
    #expect(change.puts.map(\.state) == [.scheduled])
    let back = PlannedReminder(id: plan.id, occurrence: plan.occurrence, fireDate: try Sample.fireDate(-1))
    #expect(
      Reconciliation(planned: [back], existing: existing, now: Sample.now).puts.map(\.fireDate)
        == [try Sample.fireDate(-1)])
  }

  @Test("an occurrence whose instant somebody moved into the past counts as new, one that had passed before does not")
  func movedIntoThePast() throws {
    let back = try planned(at: -5)
    func change(from minutes: Int) throws -> Reconciliation {
      let existing = Reminder(
        id: back.id, occurrence: back.occurrence, fireDate: try Sample.fireDate(minutes), state: .scheduled,
        changedAt: Sample.now)
      return Reconciliation(planned: [back], existing: [existing], now: Sample.now, isMoved: true)
    }
    #expect(try change(from: 90).puts.map(\.state) == [.cancelled])
    #expect(try change(from: 90).past == [try Sample.fireDate(-5)])
    #expect(try change(from: -1).puts.map(\.state) == [.scheduled])
  }

  @Test("several changes at once are told apart, soonest first")
  func several() throws {
    let existing = [
      try Sample.reminder(of: .item(1), at: 1), try Sample.reminder(of: .item(1), at: 2),
      try Sample.reminder(of: .item(1), at: -3, state: .fired),
    ]
    let plan = [9, 2, 7, -1, -3, -2].map { try? planned(at: $0) }.compactMap { $0 }
    let change = Reconciliation(planned: plan, existing: existing, now: Sample.now)
    #expect(change.scheduled == [try Sample.fireDate(7), try Sample.fireDate(9)])
    #expect(change.past == [try Sample.fireDate(-2), try Sample.fireDate(-1)])
    #expect(change.cancelled == 1)
    #expect(change.puts.count == 3)
  }

  @Test("records are kept in whole seconds")
  func wholeSeconds() throws {
    let existing = [try Sample.reminder(of: .item(1), at: 3)]
    let change = Reconciliation(planned: [try planned(at: 5)], existing: existing, now: Sample.now + 0.75)
    #expect(change.puts.map(\.changedAt) == [Sample.now, Sample.now])
  }
}
