import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The daemon's ticks: the clock, the zone, restarts and housekeeping. It is 09:00 in Zurich.
@Suite struct SchedulerTests {
  private var fixture = EngineFixture()
  private let sink = RecordingSink()

  private func daemon(_ sink: RecordingSink? = nil) throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink ?? self.sink)])
  }

  @Test("a tick names the next minute, or the next attempt where that is sooner")
  func nextTick() async throws {
    let daemon = try daemon(RecordingSink(inSequence: [.later(reason: "busy"), .later(reason: "busy")]))
    fixture.time.now = Sample.now + 12.5
    #expect(try await daemon.tick() == Sample.now + 60)
    try fixture.add(due: "2026-11-21T09:01")
    fixture.time.now = Sample.now + 60
    try await daemon.tick()
    #expect(try daemon.scheduler.tick() == Sample.now + 65)
    fixture.time.now = Sample.now + 65
    try await daemon.tick()
    #expect(try daemon.scheduler.tick() == Sample.now + 95)
    fixture.time.now = Sample.now + 95
    #expect(try await daemon.tick() == Sample.now + 120)
  }

  @Test("a backlog larger than a batch goes out in one tick, oldest first, each once")
  func backlog() async throws {
    let drafts = try (0..<1_200).map { index in
      ItemDraft(
        text: "\(index)", due: try wall("2026-11-21T09:01").adding(days: 0, minutes: index / 200), shouldRemind: true)
    }
    _ = try fixture.belfry.add(drafts.shuffled(), to: ListChoice("Many", createsMissing: true))
    try fixture.setClock("2026-11-21T09:10:00+01:00")
    let daemon = try daemon()
    try await daemon.tick()
    #expect(sink.attempts.count == 1_200)
    #expect(Set(sink.texts).count == 1_200)
    let minutes = sink.texts.compactMap { Int($0) }.map { $0 / 200 }
    #expect(minutes == minutes.sorted())
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered })
  }

  @Test(
    "the clock stepping back repeats nothing and holds up what is scheduled until its instant",
    arguments: [1.0, 3_600, 86_400, 864_000, 1_795_000_000])
  func stepBack(seconds: Double) async throws {
    try fixture.add("first", due: "2026-11-21T10:00")
    try fixture.add("second", due: "2026-11-21T11:00")
    let daemon = try daemon()
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    fixture.time.advance(by: -seconds)
    for _ in 1...3 {
      try await daemon.tick()
      fixture.time.advance(by: 0.2)
    }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    #expect(sink.texts == ["first"])
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    try await daemon.tick()
    #expect(sink.texts == ["first", "second"])
  }

  @Test("the clock stepping back does not put off a retry for longer than its delay")
  func stepBackRetry() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try daemon(sink)
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    fixture.time.advance(by: -86_400)
    try await daemon.tick()
    fixture.time.advance(by: 60)
    try await daemon.tick()
    #expect(sink.attempts.count == 2)
  }

  @Test("the clock jumping ahead rings what it passed, by the missed policy")
  func stepAhead() async throws {
    try fixture.add("old", due: "2026-11-21T10:00")
    try fixture.add("new", due: "2026-11-21T17:55")
    let daemon = try daemon()
    try fixture.setClock("2026-11-21T18:00:00+01:00")
    try await daemon.tick()
    #expect(sink.texts == ["old", "new"])
    #expect(sink.attempts.map(\.lateSeconds) == [28_800, 300])
  }

  // MARK: Zones

  @Test("a zone change plans floating items anew, keeps wall-clock times, and leaves fixed ones alone")
  mutating func zoneChange() async throws {
    try fixture.add("floating", due: "2026-11-21T12:00")
    try fixture.add("fixed", due: "2026-11-21T12:00", zone: .fixed("Europe/Zurich"))
    try fixture.add("checked", due: "2026-11-21T12:00")
    _ = try fixture.belfry.setChecked(true, [3])
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T13:00")))
    try await daemon().tick()
    fixture.settings.timeZone = .named("America/New_York")
    let daemon = try daemon()
    try await daemon.tick()
    #expect(try fixture.scheduled(of: .item(1)) == ["2026-11-21T12:00-05:00"])
    #expect(try fixture.scheduled(of: .item(2)) == ["2026-11-21T06:00-05:00"])
    #expect(try fixture.scheduled(of: .list(1)) == ["2026-11-21T13:00-05:00"])
    #expect(try fixture.reminders(of: .item(3)).allSatisfy { $0.hasSuffix("cancelled") })
    for id in [1, 2, 3] as [Int64] { #expect(try fixture.item(id).due?.local == wall("2026-11-21T12:00")) }
    #expect(try fixture.item(1).due?.instant.date == instant("2026-11-21T17:00:00Z"))
    #expect(try fixture.item(3).due?.instant.date == instant("2026-11-21T17:00:00Z"))
    #expect(try fixture.item(2).due?.instant.date == instant("2026-11-21T11:00:00Z"))
    #expect(try fixture.store.read { try $0.plannedZone() } == "America/New_York")
    #expect(daemon.events.contains { $0.message.contains("Europe/Zurich") && $0.message.contains("America/New_York") })
  }

  @Test("a reminder that fired at home does not fire again after travelling west")
  mutating func travelling() async throws {
    try fixture.add("rang", due: "2026-11-21T10:00")
    try fixture.add("rings there", due: "2026-11-21T11:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon().tick()
    fixture.settings.timeZone = .named("America/New_York")
    let there = try daemon()
    try await there.tick()
    try fixture.setClock("2026-11-21T10:00:00-05:00")
    try await there.tick()
    #expect(sink.texts == ["rang"])
    try fixture.setClock("2026-11-21T11:00:00-05:00")
    try await there.tick()
    #expect(sink.texts == ["rang", "rings there"])
    // Returning home fires nothing either.
    fixture.settings.timeZone = .named("Europe/Zurich")
    try fixture.setClock("2026-11-21T09:59:00+01:00")
    let home = try daemon()
    for _ in 1...3 {
      try await home.tick()
      fixture.time.advance(by: 60)
    }
    #expect(sink.texts == ["rang", "rings there"])
  }

  @Test("travelling east past a time that was to come rings it, late")
  mutating func travellingEast() async throws {
    try fixture.add(due: "2026-11-21T17:00")
    try await daemon().tick()
    fixture.settings.timeZone = .named("Asia/Tokyo")
    try fixture.setClock("2026-11-21T17:05:00+09:00")
    try await daemon().tick()
    #expect(sink.attempts.map(\.lateSeconds) == [300])
  }

  @Test("a new store takes the zone of the first change")
  func firstZone() async throws {
    let daemon = try daemon()
    try await daemon.tick()
    #expect(try fixture.store.read { try $0.plannedZone() } == "Europe/Zurich")
    #expect(daemon.events == [])
  }

  @Test("one item that cannot be planned in the new zone does not keep the others from it")
  mutating func unplannable() async throws {
    fixture = EngineFixture(zone: "UTC")
    try fixture.add("last", due: "9999-12-31T23:30")
    try fixture.add("usual", due: "2026-11-21T12:00")
    fixture.settings.timeZone = .named("America/New_York")
    try await daemon().tick()
    #expect(try fixture.scheduled(of: .item(2)) == ["2026-11-21T12:00-05:00"])
    #expect(try fixture.item(1).due?.local == wall("9999-12-31T23:30"))
  }

  // MARK: Restarts

  @Test("a restart takes up what is pending, with the same identity, at the time that the store has")
  func restart() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let busy = RecordingSink { _, _ in .later(reason: "busy") }
    try await daemon(busy).tick()
    fixture.time.advance(by: 4)
    try await daemon().tick()
    #expect(sink.attempts == [])
    fixture.time.advance(by: 1)
    try await daemon().tick()
    #expect(sink.attempts.map(\.message.id) == busy.attempts.map(\.message.id))
    #expect(try fixture.deliveries().map(\.attempts) == [2])
  }

  @Test("a daemon killed in the middle of an attempt makes it again, with the same identity")
  func killed() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let stuck = RecordingSink()
    stuck.hang()
    let killed = try daemon(stuck)
    try await killed.tick(hanging: 1)
    await stuck.waitForAttempts(1)
    try await daemon().tick()
    #expect(sink.attempts.map(\.message.id) == stuck.attempts.map(\.message.id))
    #expect(try fixture.deliveries().map(\.state) == [.delivered])
    stuck.release()
  }

  @Test("after a stop nothing begins any more, what is under way ends and is recorded")
  func stop() async throws {
    for text in ["a", "b", "c"] { try fixture.add(text, due: "2026-11-21T10:00") }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    sink.hang()
    let daemon = try daemon()
    try await daemon.tick(hanging: 3)
    await sink.waitForAttempts(1)
    daemon.scheduler.stop()
    #expect(daemon.scheduler.inFlightCount == 1)
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["a"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .pending, .pending])
    try await self.daemon().tick()
    #expect(sink.texts == ["a", "b", "c"])
  }

  @Test("deliveries of a sink that is gone or switched off end as dead, saying so, and can be retried")
  func sinkGone() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim(["gone", "sink"])
    let daemon = try daemon()
    #expect(daemon.events.contains { $0.level == .error })
    let dead = try #require(try fixture.deliveries().first)
    #expect(dead.state == .dead)
    #expect(dead.lastError?.contains("gone") == true)
    #expect(dead.closedAt == fixture.time.now)
    try await daemon.tick()
    #expect(try fixture.deliveries().map(\.state) == [.dead, .delivered])
    fixture.time.advance(by: 999_999)
    let retried = try only(fixture.belfry.retryDeliveries(nil))
    #expect(retried.0.messageID == dead.messageID)
    #expect(try fixture.deliveries().first?.state == .pending)
    #expect(try fixture.deliveries().first?.closedAt == nil)
    let gone = RecordingSink()
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "gone", sink: gone)]).tick()
    #expect(gone.attempts.map(\.message.id) == [dead.messageID])
  }

  @Test("dead deliveries are put away, one or all, with their reasons")
  func putAway() throws {
    for text in ["a", "b", "c"] { try fixture.add(text, due: "2026-11-21T10:00") }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    _ = try fixture.belfry.discardDeliveries([3])
    _ = try fixture.belfry.closeDeliveries(exceptOf: [])
    let dead = try fixture.deliveries()
    #expect(dead.map(\.state) == [.dead, .dead, .discarded])
    fixture.time.advance(by: 60)
    #expect(try fixture.belfry.discardDeliveries([1]).map(\.0.id) == [1])
    #expect(try fixture.belfry.discardDeliveries(nil).map(\.0.id) == [2])
    #expect(try fixture.deliveries().map(\.state) == [.discarded, .discarded, .discarded])
    #expect(try fixture.deliveries().map(\.lastError) == dead.map(\.lastError))
    #expect(try fixture.deliveries().map(\.closedAt) == dead.map(\.closedAt))
    #expect(try fixture.belfry.retryDeliveries(nil).isEmpty)
  }

  @Test("only dead deliveries can be retried and only pending or dead ones discarded, all or none")
  func retryAndDiscard() async throws {
    for text in ["a", "b"] { try fixture.add(text, due: "2026-11-21T10:00") }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    for (work, kind) in [
      ({ _ = try fixture.belfry.retryDeliveries([1]) }, BelfryError.Kind.badInput),
      ({ _ = try fixture.belfry.retryDeliveries([9]) }, .notFound),
      ({ _ = try fixture.belfry.discardDeliveries([1, 9]) }, .notFound),
    ] as [(() throws -> Void, BelfryError.Kind)] {
      #expect(#expect(throws: BelfryError.self) { try work() }?.kind == kind)
    }
    #expect(try fixture.deliveries().map(\.state) == [.pending, .pending])
    #expect(try fixture.belfry.discardDeliveries([1, 1]).count == 1)
    #expect(#expect(throws: BelfryError.self) { try fixture.belfry.discardDeliveries([2, 1]) }?.kind == .badInput)
    #expect(try fixture.deliveries().map(\.state) == [.discarded, .pending])
    try await daemon().tick()
    #expect(sink.texts == ["b"])
  }

  // MARK: Housekeeping

  @Test("history is pruned once an hour when nothing is under way, and never what is still open")
  mutating func housekeeping() async throws {
    fixture.settings.history = CalendarDuration(days: 10, minutes: 0)
    for text in ["old", "open"] { try fixture.add(text, due: "2026-11-21T10:00") }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink { attempt, _ in
      attempt.message.contents.first?.text == "old" ? .delivered : .later(reason: "busy")
    }
    let daemon = try daemon(sink)
    try await daemon.tick()
    #expect(try daemon.scheduler.tidyWhenIdle())
    #expect(try !daemon.scheduler.tidyWhenIdle())
    #expect(try fixture.deliveries().count == 2)
    fixture.time.advance(by: 863_999)
    try daemon.scheduler.tidyWhenIdle()
    #expect(try fixture.deliveries().count == 2)
    fixture.time.advance(by: 3_600)
    try daemon.scheduler.tidyWhenIdle()
    #expect(try fixture.deliveries().map(\.state) == [.pending])
    #expect(try fixture.store.read { try $0.items().count } == 2)
  }
}
