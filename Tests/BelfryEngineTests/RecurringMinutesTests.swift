import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules
@testable import SystemThreads

/// Occurrences of a rule, floored to minutes: equal ones count once, and each is later than the one before.
@Suite struct RecurringMinutesTests {
  private func series(_ rule: String, due: String = "2026-11-21T09:00", start: String? = nil) throws -> OccurrenceSeries
  {
    OccurrenceSeries(
      due: try wall(due), recurrence: Recurrence(rule: try RecurrenceRule(rule), start: try wall(start ?? due)),
      zone: try EngineFixture().zone())
  }

  /// The first occurrences from the due date on.
  private func times(_ rule: String, due: String = "2026-11-21T09:00", start: String? = nil, _ count: Int = 4) throws
    -> [String]
  {
    let series = try series(rule, due: due, start: start)
    var times: [String] = []
    var last = series.due.adding(days: 0, minutes: -1)
    while times.count < count, let next = series.next(after: last) {
      #expect(next > last)
      times.append(next.description)
      last = next
    }
    return times
  }

  @Test("exceptions do not occur, also where COUNT counts them, and additions do")
  func exceptions() throws {
    let due = try wall("2026-11-21T09:00")
    let series = OccurrenceSeries(
      due: due, recurrence: Recurrence(rule: try RecurrenceRule("FREQ=DAILY;COUNT=4"), start: due),
      exceptions: [try wall("2026-11-22T09:00")],
      additions: [try wall("2026-11-22T18:30"), try wall("2026-12-01T09:00")],
      zone: try EngineFixture().zone())
    var times: [String] = []
    var last: WallTime? = series.due
    while let time = last {
      times.append(time.description)
      last = series.next(after: time)
    }
    #expect(
      times == ["2026-11-21T09:00", "2026-11-22T18:30", "2026-11-23T09:00", "2026-11-24T09:00", "2026-12-01T09:00"])
    #expect(try !series.contains(wall("2026-11-22T09:00")))
    #expect(try series.contains(wall("2026-11-22T18:30")))
    #expect(try series.lastOccurrence(before: wall("2026-11-23T00:00")) == wall("2026-11-22T18:30"))
  }

  @Test(
    "seconds are floored, and what falls into one minute occurs once",
    arguments: [
      ("FREQ=DAILY;BYSECOND=30", ["2026-11-21T09:00", "2026-11-22T09:00", "2026-11-23T09:00"]),
      ("FREQ=DAILY;BYSECOND=0,30,59,60", ["2026-11-21T09:00", "2026-11-22T09:00", "2026-11-23T09:00"]),
      ("FREQ=MINUTELY;BYSECOND=59", ["2026-11-21T09:00", "2026-11-21T09:01", "2026-11-21T09:02"]),
      ("FREQ=HOURLY;BYSECOND=10,20;BYSETPOS=2", ["2026-11-21T09:00", "2026-11-21T10:00", "2026-11-21T11:00"]),
      ("FREQ=DAILY;BYSECOND=0,30;COUNT=3", ["2026-11-21T09:00", "2026-11-22T09:00"]),
      ("FREQ=DAILY;BYSECOND=30;UNTIL=20261122T080030Z", ["2026-11-21T09:00", "2026-11-22T09:00"]),
    ])
  func floored(rule: String, expected: [String]) throws {
    let found = try times(rule)
    #expect(Array(found.prefix(expected.count)) == expected)
    if rule.contains("COUNT") || rule.contains("UNTIL") { #expect(found == expected) }
    let series = try series(rule)
    for time in expected { #expect(series.contains(try wall(time))) }
    #expect(!series.contains(try wall("2026-11-21T09:30")) || rule.contains("MINUTELY"))
  }

  @Test(
    "COUNT counts the due date first, on the rule or off it",
    arguments: [
      ("FREQ=WEEKLY;BYDAY=SA;COUNT=3", ["2026-11-21T09:00", "2026-11-28T09:00", "2026-12-05T09:00"]),
      ("FREQ=WEEKLY;BYDAY=MO;COUNT=3", ["2026-11-21T09:00", "2026-11-23T09:00", "2026-11-30T09:00"]),
      ("FREQ=WEEKLY;BYDAY=MO;COUNT=1", ["2026-11-21T09:00"]),
      ("FREQ=DAILY;BYSECOND=30;COUNT=2", ["2026-11-21T09:00", "2026-11-22T09:00"]),
    ])
  func counted(rule: String, expected: [String]) throws { #expect(try times(rule, 9) == expected) }

  @Test("an anchor off the rule counts also once the due date has moved on")
  func countedFromAnchor() throws {
    let found = try times("FREQ=WEEKLY;BYDAY=MO;COUNT=3", due: "2026-11-23T09:00", start: "2026-11-21T09:00", 9)
    #expect(found == ["2026-11-23T09:00", "2026-11-30T09:00"])
  }

  @Test("the last ringing is found also where seconds are asked for")
  func lastRinging() throws {
    let found = try series("FREQ=DAILY;BYSECOND=30").lastRinging(
      lead: .zero, until: instant("2026-11-25T09:00:00+01:00"))
    #expect(found?.date == (try instant("2026-11-25T09:00:00+01:00")))
  }

  @Test("a search that is refused too often is given up, and says so")
  func refused() throws {
    var asked = 0
    #expect(throws: PlanningFault.self) {
      try series("FREQ=MINUTELY").first(lead: .zero, ringingFrom: instant("2026-11-21T09:00:00+01:00")) { _ in
        asked += 1
        return false
      }
    }
    #expect(asked == OccurrenceSeries.stepLimit)
  }

  @Test(
    "a COUNT that cannot be counted to is refused by add; in a row it sets the item aside, and the item beside it rings"
  )
  func tooFarToCount() throws {
    let fixture = EngineFixture()
    let rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=400000")
    let due = try wall("2026-11-21T09:01")
    let draft = ItemDraft(text: "bad", due: due, shouldRemind: true, rule: rule)
    #expect(throws: BelfryError.self) { try fixture.belfry.add([draft], to: ListChoice("Inbox", createsMissing: true)) }
    try fixture.add("bad", due: "2026-11-21T09:01")
    try fixture.add("ordinary", due: "2026-11-21T09:02")
    try fixture.store.write { transaction in
      var item = try fixture.item(1, in: transaction)
      item.recurrence = Recurrence(rule: rule, start: due)
      try transaction.update(item)
    }
    let daemon = try TestDaemon(fixture.belfry, sinks: [])
    for minute in [1.0, 2, 3] {
      fixture.time.now = Sample.now + 60 * minute
      _ = try daemon.scheduler.tick()
    }
    #expect(try fixture.reminders() == ["2026-11-21T09:01+01:00 fired"], "it had been planned, so it rings")
    #expect(try fixture.reminders(of: .item(2)) == ["2026-11-21T09:02+01:00 fired"])
    let told = daemon.events.filter { $0.message.hasPrefix("item 1 is skipped: the COUNT of its rule") }
    #expect(told.count == 1)
    #expect(try fixture.belfry.read { try $0.setAside().map(\.owner) } == [.item(1)])
    let explanation = try fixture.belfry.read { try $0.explain(1, settings: fixture.settings, sinks: []) }
    #expect(explanation.verdict.contains("item 1 is skipped"))
    let outlook = try fixture.belfry.read { try $0.preview(from: $0.now, until: $0.now + 86_400, limit: 9) }
    #expect(outlook.setAside.count == 1)
    #expect(try fixture.belfry.checkStore().contains { $0.hasPrefix("item 1 cannot be scheduled") })
    let edited = try fixture.edit(2) { $0.text = "still to be edited" }
    #expect(edited.listing.item.text == "still to be edited")
    #expect(throws: BelfryError.self) { try fixture.edit(1) { $0.text = "x" } }
    try fixture.edit(1) { $0.rule = .set(try RecurrenceRule("FREQ=DAILY")) }
    #expect(try fixture.belfry.read { try $0.setAside() } == [])
  }

  @Test("a year of missed minutely occurrences does not delay an ordinary item under the policy 'all'")
  func backlog() throws {
    var prepared = EngineFixture()
    prepared.settings.missed.policy = .all
    prepared.settings.missed.maxAge = try lead("3650d")
    let fixture = prepared
    let draft = ItemDraft(
      text: "tick", due: try wall("2026-11-21T10:00"), shouldRemind: true, rule: try RecurrenceRule("FREQ=MINUTELY"))
    _ = try fixture.belfry.add([draft], to: ListChoice("Inbox", createsMissing: true))
    try fixture.add("ordinary", due: "2027-11-21T09:00")
    try fixture.setClock("2027-11-21T09:00:00+01:00")
    // The stop request comes once the ordinary item has fired, long before the backlog is done.
    var belfry = fixture.belfry
    let rang = Flag()
    belfry.stop = StopRequest { rang.isSet }
    let scheduler = Scheduler(
      belfry: belfry, sinks: [], random: { 0 }, log: { _ in if (try? fixture.hasRung(2)) == true { rang.set() } },
      wake: {})
    try scheduler.start()
    _ = try scheduler.tick()
    #expect(try fixture.hasRung(2))
    let fired = try fixture.reminders().count { $0.hasSuffix("fired") }
    #expect(fired > ClaimBatch.largestBacklog && fired < 3 * ClaimBatch.largestBacklog, "\(fired)")
  }
}

extension EngineFixture {
  fileprivate func hasRung(_ id: Int64) throws -> Bool {
    try reminders(of: .item(id)).contains { $0.hasSuffix(" fired") }
  }

  fileprivate func item(_ id: Int64, in view: any StoreView) throws -> Item {
    guard let listing = try view.item(id: id) else { throw Unexpected("there is no item \(id)") }
    return listing.item
  }

  fileprivate func zone() throws -> Zone { try belfry.configuredZone() }
}

private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
