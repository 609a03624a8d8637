import BelfryEngine
import BelfryTestKit
import CivilTime
import Foundation
import RecurrenceRules
import Testing

/// Clock steps and early timers: each occurrence fires exactly once, and never early.
@Suite struct ClockStepTests {
  private static let start = Date(timeIntervalSince1970: 1_795_161_630)
  private static let (hour, day) = (3_600.0, 86_400.0)

  /// A machine with items that are due at half past every hour, daily, and once on each of the next four days.
  private static func machine() async throws -> SimulatedMachine {
    let machine = try SimulatedMachine(clock: start, zone: "Europe/Zurich")
    machine.settings.missed = MissedPolicy(policy: .all, maxAge: CalendarDuration(days: 36_500, minutes: 0))
    try await machine.startDaemon()
    let due = try #require(WallTime(parsing: "2026-11-20T09:30"))
    var drafts = [
      ItemDraft(text: "hourly", due: due, shouldRemind: true, rule: try RecurrenceRule("FREQ=HOURLY")),
      ItemDraft(text: "daily", due: due, shouldRemind: true, rule: try RecurrenceRule("FREQ=DAILY")),
    ]
    for days in 0..<4 { drafts.append(ItemDraft(text: "once", due: due.adding(days: days), shouldRemind: true)) }
    _ = try machine.belfry.add(drafts, to: ListChoice("Inbox", createsMissing: true))
    return machine
  }

  @Test(
    "a clock that is set repeats nothing, stalls nothing and loses nothing",
    arguments: [-1, -59, -hour, -day, -10 * day, 1, 61, 8 * hour, 10 * day])
  func steps(seconds: Double) async throws {
    let machine = try await Self.machine()
    try await machine.advance(to: Self.start.addingTimeInterval(1.5 * Self.day))
    let before = machine.time.now
    try await machine.setClock(to: before.addingTimeInterval(seconds))
    let end = max(before, machine.time.now).addingTimeInterval(2.5 * Self.day)
    try await machine.advance(to: end)
    try expectEachOnce(machine.ringings, until: end)
    for ringing in machine.ringings {
      let isPassedOver =
        ringing.reminder.fireDate.date > before && ringing.instant == before.addingTimeInterval(seconds)
      #expect(ringing.instant == ringing.reminder.fireDate.date || isPassedOver, "late without need")
    }
  }

  @Test("a clock that goes to 1970 for a while repeats nothing and loses nothing")
  func lostClock() async throws {
    let machine = try await Self.machine()
    try await machine.advance(to: Self.start.addingTimeInterval(1.5 * Self.day))
    let before = machine.time.now
    let count = machine.ringings.count
    try await machine.setClock(to: Date(timeIntervalSince1970: 0))
    try await machine.advance(to: Date(timeIntervalSince1970: 2 * Self.hour))
    #expect(machine.ringings.count == count, "nothing is due in 1970")
    try await machine.setClock(to: before.addingTimeInterval(2 * Self.hour))
    let end = before.addingTimeInterval(2.5 * Self.day)
    try await machine.advance(to: end)
    try expectEachOnce(machine.ringings, until: end)
  }

  @Test(
    "a wake-up that comes early rings nothing early and nothing twice",
    arguments: [1, 2, 7, 50, 250, 500, 750, 998, 999])
  func early(milliseconds: Int) async throws {
    let machine = try await Self.machine()
    let fireDate = Date(timeIntervalSince1970: 1_795_163_400)
    machine.time.now = fireDate.addingTimeInterval(-Double(milliseconds) / 1_000)
    try await machine.tick()
    #expect(machine.ringings.isEmpty, "it is not yet time")
    machine.time.now = fireDate
    try await machine.tick()
    #expect(machine.ringings.map(\.reminder.fireDate.date) == [fireDate, fireDate, fireDate])
    // Set back to just before the minute, the clock reaches it a second time.
    try await machine.setClock(to: fireDate.addingTimeInterval(-Double(milliseconds) / 1_000))
    machine.time.now = fireDate.addingTimeInterval(Double(milliseconds) / 1_000)
    try await machine.tick()
    #expect(machine.ringings.count == 3, "what has fired stays fired")
  }

  /// Checks that every occurrence of every item up to an instant fired once, and not early.
  private func expectEachOnce(_ ringings: [SimulatedMachine.Ringing], until end: Date) throws {
    let first = 1_795_163_400
    let hours = Int(end.timeIntervalSince1970 - Double(first)) / 3_600 + 1
    let days = (hours - 1) / 24 + 1
    #expect(Set(ringings.map(\.reminder.id)).count == ringings.count, "something rang twice")
    #expect(ringings.allSatisfy { $0.instant >= $0.reminder.fireDate.date }, "something rang early")
    let hourly = ringings.filter { $0.reminder.occurrence.owner == .item(1) }.map(\.reminder.fireDate.secondsSinceEpoch)
    #expect(hourly == (0..<hours).map { Int64(first + $0 * 3_600) })
    let daily = ringings.filter { $0.reminder.occurrence.owner == .item(2) }.map(\.reminder.fireDate.secondsSinceEpoch)
    #expect(daily == (0..<days).map { Int64(first + $0 * 86_400) })
    let others = ringings.filter { ![.item(1), .item(2)].contains($0.reminder.occurrence.owner) }
    #expect(others.count == min(days, 4))
  }
}
