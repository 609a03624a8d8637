import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Quiet hours, groups and rate limits. It is 09:00 in Zurich on 21 November 2026.
@Suite struct OutboxTests {
  private let fixture = EngineFixture()

  private static func quiet(_ from: String, _ to: String, except: Urgency? = nil) throws -> QuietHours {
    let (start, end) = try (#require(TimeOfDay(parsing: from)), #require(TimeOfDay(parsing: to)))
    return try #require(QuietHours(from: start, to: end, except: except))
  }

  private func zone(_ name: String) throws -> Zone { try ZoneDatabase(environment: [:]).zone(name) }

  // MARK: Quiet hours

  @Test(
    "quiet hours end at their time on the local clock, over midnight and over changes of the clocks",
    arguments: [
      ("22:00", "07:00", "2026-11-21T21:59:59+01:00", nil),
      ("22:00", "07:00", "2026-11-21T22:00:00+01:00", "2026-11-22T07:00:00+01:00"),
      ("22:00", "07:00", "2026-11-22T06:59:59+01:00", "2026-11-22T07:00:00+01:00"),
      ("22:00", "07:00", "2026-11-22T07:00:00+01:00", nil),
      ("12:00", "13:30", "2026-11-21T12:10:00+01:00", "2026-11-21T13:30:00+01:00"),
      ("12:00", "13:30", "2026-11-21T13:30:00+01:00", nil),
      // The night in which the clocks go forward is an hour shorter; the one in which they go back is an hour longer.
      ("22:00", "07:00", "2026-03-28T23:00:00+01:00", "2026-03-29T07:00:00+02:00"),
      ("22:00", "07:00", "2026-10-24T23:00:00+02:00", "2026-10-25T07:00:00+01:00"),
      // A skipped 02:30 counts as 03:30; of a repeated one, the first counts.
      ("22:00", "02:30", "2026-03-29T01:00:00+01:00", "2026-03-29T03:30:00+02:00"),
      ("22:00", "02:30", "2026-10-25T02:10:00+02:00", "2026-10-25T02:30:00+02:00"),
      ("22:00", "02:30", "2026-10-25T02:10:00+01:00", nil),
    ] as [(String, String, String, String?)])
  func quietHours(from: String, to: String, at: String, end: String?) throws {
    let found = try Self.quiet(from, to).end(of: instant(at), in: zone("Europe/Zurich"))
    #expect(try found == end.map(instant))
  }

  @Test("a message in quiet hours is held until they end, and its age counts from then")
  func held() async throws {
    try fixture.add(due: "2026-11-21T23:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try TestDaemon(
      fixture.belfry,
      sinks: [
        ActiveSink(
          name: "sink", sink: sink, retry: RetryPolicy(maxAge: 3_600), quietHours: Self.quiet("22:00", "07:00"))
      ])
    try fixture.setClock("2026-11-21T23:00:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.isEmpty)
    #expect(try only(fixture.deliveries()).nextAttemptAt == instant("2026-11-22T07:00:00+01:00"))
    try fixture.setClock("2026-11-22T06:59:00+01:00")
    #expect(try await daemon.tick() == instant("2026-11-22T07:00:00+01:00"))
    #expect(sink.attempts.isEmpty)
    try fixture.setClock("2026-11-22T07:00:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.map(\.lateSeconds) == [8 * 3_600])
    #expect(try only(fixture.deliveries()).state == .pending)
  }

  @Test("quiet hours let through what their exception names, first attempts and retries alike")
  func exception() async throws {
    let hours = try Self.quiet("22:00", "07:00", except: .critical)
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    var fixture = fixture
    fixture.settings.alert.urgency = .high
    fixture.settings.lists = [ListRule(pattern: ListPattern("Pump"), alert: AlertOverride(urgency: .critical))]
    try fixture.add("held", to: "Garden", due: "2026-11-21T23:00")
    try fixture.add("sent", to: "Pump", due: "2026-11-21T23:00")
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, quietHours: hours)])
    try fixture.setClock("2026-11-21T23:00:00+01:00")
    try await daemon.tick()
    try fixture.setClock("2026-11-21T23:01:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.map { $0.message.contents.map(\.text) } == [["sent"], ["sent"]])
    try fixture.setClock("2026-11-22T07:00:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.last?.message.contents.first?.text == "held")
    #expect(hours.words == "from 22:00 to 07:00, except critical reminders")
  }

  @Test("a retry that would fall into quiet hours waits for their end")
  func heldRetry() async throws {
    try fixture.add(due: "2026-11-21T21:59")
    let sink = RecordingSink(inSequence: Array(repeating: .later(reason: "busy"), count: 3))
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, quietHours: Self.quiet("22:00", "07:00"))])
    for clock in ["21:59:00", "21:59:05", "21:59:35"] {
      try fixture.setClock("2026-11-21T\(clock)+01:00")
      try await daemon.tick()
    }
    #expect(sink.attempts.count == 3)
    #expect(try only(fixture.deliveries()).nextAttemptAt == instant("2026-11-22T07:00:00+01:00"))
  }

  @Test("a retry that is rounded up to the begin of quiet hours waits for their end")
  func heldRoundedRetry() async throws {
    try fixture.add(due: "2026-11-21T21:59")
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, quietHours: Self.quiet("22:00", "07:00"))])
    fixture.time.now = try instant("2026-11-21T21:59:54+01:00") + 0.5
    try await daemon.tick()
    #expect(try only(fixture.deliveries()).nextAttemptAt == instant("2026-11-22T07:00:00+01:00"))
  }

  @Test("what is resumed is attempted at once, in quiet hours at their end; what was not attempted yet stays as it is")
  func resumed() async throws {
    try fixture.add(due: "2026-11-21T21:50")
    try fixture.add(due: "2026-11-21T23:00")
    let sink = RecordingSink(inSequence: Array(repeating: .later(reason: "busy"), count: 4))
    let active = ActiveSink(name: "sink", sink: sink, quietHours: try Self.quiet("22:00", "07:00"))
    let daemon = try TestDaemon(fixture.belfry, sinks: [active])
    for clock in ["21:50:00", "21:50:05", "21:50:35"] {
      try fixture.setClock("2026-11-21T\(clock)+01:00")
      try await daemon.tick()
    }
    try fixture.setClock("2026-11-21T21:51:00+01:00")
    try fixture.belfry.resumeDeliveries(of: ActiveSink(name: "other", sink: sink))
    try await daemon.tick()
    #expect(sink.attempts.count == 3)
    try fixture.belfry.resumeDeliveries(of: active)
    try await daemon.tick()
    #expect(sink.attempts.count == 4)
    try fixture.setClock("2026-11-21T23:00:00+01:00")
    try await daemon.tick()
    try fixture.belfry.resumeDeliveries(of: active)
    try await daemon.tick()
    let end = try instant("2026-11-22T07:00:00+01:00")
    #expect(try fixture.deliveries().map(\.attempts).sorted() == [0, 4] && sink.attempts.count == 4)
    #expect(try fixture.deliveries().allSatisfy { $0.nextAttemptAt == end })
  }

  @Test("nags that quiet hours hold collapse into the one that waits already")
  func collapsedNags() async throws {
    try fixture.add(due: "2026-11-21T21:30")
    try fixture.edit { $0.nag = .set(try CalendarDuration(parsing: "30m")) }
    let sink = RecordingSink()
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, quietHours: Self.quiet("22:00", "07:00"))])
    for clock in ["21T21:30", "21T22:00", "21T22:30", "21T23:00", "22T06:30"] {
      try fixture.setClock("2026-11-\(clock):00+01:00")
      try await daemon.tick()
    }
    #expect(sink.attempts.count == 1)
    #expect(try fixture.deliveries().count == 2)
    try fixture.setClock("2026-11-22T07:00:00+01:00")
    try await daemon.tick()
    // The message that was held, and the nag at seven o'clock itself.
    #expect(sink.attempts.count == 3)
  }

  // MARK: Groups

  private func ring(_ grouping: MessageGrouping, _ items: [(text: String, list: String, minute: Int)]) async throws
    -> [[String]]
  {
    for item in items { try fixture.add(item.text, to: item.list, due: "2026-11-21T10:0\(item.minute)") }
    let sink = RecordingSink(grouping: grouping)
    try fixture.setClock("2026-11-21T10:05:00+01:00")
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)]).tick()
    return sink.attempts.map { $0.message.contents.map(\.text) }
  }

  private static let items = [("a", "A", 0), ("b", "B", 0), ("c", "A", 0), ("d", "A", 1)]

  @Test(
    "what rings in the same minute goes out together by list, all together, or one by one",
    arguments: [
      (MessageGrouping.none, [["a"], ["b"], ["c"], ["d"]]), (.list, [["a", "c"], ["b"], ["d"]]),
      (.all, [["a", "b", "c"], ["d"]]),
    ])
  func groups(grouping: MessageGrouping, expected: [[String]]) async throws {
    #expect(try await ring(grouping, Self.items) == expected)
  }

  @Test("a minute of more reminders than one claim takes is one message all the same, and the next one another")
  func largeGroup() async throws {
    for (minute, count) in [(0, 300), (1, 5)] {
      let due = try wall("2026-11-21T10:0\(minute)")
      let drafts = (0..<count).map { ItemDraft(text: "\(minute) \($0)", due: due, shouldRemind: true) }
      _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    }
    #expect(try await ring(.all, []).map(\.count) == [300, 5])
  }

  @Test("each member of a group shows the delivery as its own, and a check of one leaves it for the others")
  func memberIsChecked() async throws {
    for text in ["a", "b"] { try fixture.add(text, due: "2026-11-21T10:00") }
    let sink = RecordingSink(grouping: .all) { _, earlier in earlier == 0 ? .later(reason: "busy") : .delivered }
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    for id in [1, 2] as [Int64] {
      #expect(try fixture.store.read { try $0.deliveries(of: .item(id), state: nil).map(\.0.id) } == [1])
    }
    _ = try fixture.belfry.setChecked(true, [1])
    #expect(try only(fixture.deliveries()).state == .pending)
    _ = try fixture.belfry.setChecked(true, [2])
    #expect(try only(fixture.deliveries()).state == .discarded)
  }

  // MARK: Rate limit

  @Test("a limited sink begins so many attempts a minute, in order, and the rest as soon as the limit lets it")
  func rateLimit() async throws {
    for index in 0..<5 { try fixture.add("\(index)", due: "2026-11-21T10:00") }
    let sink = RecordingSink()
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, rateLimit: RateLimit(count: 2, interval: 60))])
    try fixture.setClock("2026-11-21T10:00:10+01:00")
    _ = try await daemon.tick()
    #expect(sink.attempts.count == 2)
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    #expect(try await daemon.tick() == instant("2026-11-21T10:01:10+01:00"))
    #expect(sink.attempts.count == 2)
    try fixture.setClock("2026-11-21T10:01:10+01:00")
    try await daemon.tick()
    #expect(sink.attempts.count == 4)
    try fixture.setClock("2026-11-21T10:02:10+01:00")
    try await daemon.tick()
    #expect(sink.attempts.map { $0.message.contents[0].text } == ["0", "1", "2", "3", "4"])
  }

  @Test("a sink that is slower than its limit leaves the daemon alone: more than it holds wait for its slots")
  func rateLimitOfSlowSink() async throws {
    let count = 700
    let drafts = try (0..<count).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T10:00"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    let sink = RecordingSink()
    sink.hang()
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, rateLimit: RateLimit(count: 600, interval: 60))])
    try fixture.setClock("2026-11-21T10:00:10+01:00")
    try await daemon.tick(hanging: count)
    try fixture.setClock("2026-11-21T10:01:11+01:00")
    #expect(try daemon.scheduler.tick() == instant("2026-11-21T10:02:00+01:00"))
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == (0..<count).map { "\($0)" })
  }

  @Test("a limit holds over a restart: `run --once` each minute sends no more than a daemon would")
  func rateLimitOverRestart() async throws {
    for index in 0..<3 { try fixture.add("\(index)", due: "2026-11-21T10:00") }
    var texts: [String] = []
    for clock in ["10:00:00", "10:00:30", "10:01:00", "10:01:59", "10:02:00"] {
      let sink = RecordingSink()
      try fixture.setClock("2026-11-21T\(clock)+01:00")
      try await TestDaemon(
        fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, rateLimit: RateLimit(count: 1, interval: 60))]
      ).tick()
      texts += sink.texts.map { "\(clock) \($0)" }
    }
    #expect(texts == ["10:00:00 0", "10:01:00 1", "10:02:00 2"])
  }
}
