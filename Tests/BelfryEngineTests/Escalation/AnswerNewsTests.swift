import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The news of an answer for everyone an escalation reached by sinks that cannot change what they sent. Milk rings at
/// 10:00 in Zurich, for Anna, from 10:10 for Ben, from 10:30 for both every ten minutes.
@Suite struct AnswerNewsTests {
  private static let acknowledged =
    "Ben acknowledged 'Milk' at 10:10: nothing is left to do for you unless it rings again"

  @Test("whoever a step reached hears once who answered, but for who did")
  func told() async throws {
    let news = try NewsFixture()
    for time in ["10:00", "10:10", "10:30", "10:40"] { try await news.tick(time) }
    let last = try #require(news.anna.attempts.last).message
    try await news.answer(.check, by: "ben")
    #expect(news.told(news.anna) == ["Ben checked 'Milk' at 10:40: nothing is left to do for you"])
    #expect(news.told(news.ben).isEmpty)
    let message = try #require(news.anna.attempts.last).message
    #expect(message.kind == .answered && message.person == last.person && message.update?.messageID == last.id)
    #expect(message.contents[0].actions.isEmpty && message.tokens == nil && !message.isWithdrawable)
  }

  @Test("who was stepped over hears of it, and a check by no one in particular is told to everybody")
  func nobody() async throws {
    let news = try NewsFixture()
    for time in ["10:00", "10:10"] { try await news.tick(time) }
    _ = try news.belfry.setChecked(true, [1])
    try await news.daemon.noticeChange()
    let words = ["'Milk' was checked at 10:10: nothing is left to do for you"]
    #expect(news.told(news.anna) == words && news.told(news.ben) == words)
  }

  @Test("a stronger answer, an answer taken back and another answer are not told again")
  func once() async throws {
    let news = try NewsFixture()
    for time in ["10:00", "10:10"] { try await news.tick(time) }
    try await news.answer(.acknowledge, by: "ben")
    let check = try await news.answer(.check, by: "ben")
    try news.fixture.answers.takeBack(check)
    try await news.daemon.noticeChange()
    try await news.answer(.delete, by: "ben")
    #expect(news.told(news.anna) == [Self.acknowledged])
  }

  @Test("the next ringing has news of its own, only for its last message")
  func ringing() async throws {
    let news = try NewsFixture(rule: "FREQ=DAILY")
    for time in ["11-21T10:00", "11-21T10:10", "11-22T10:00", "11-22T10:10"] { try await news.tick(time) }
    try await news.answer(.check, by: "ben")
    #expect(news.told(news.anna) == ["Ben checked 'Milk' at 10:10: nothing is left to do for you"])
    for time in ["11-23T10:00", "11-23T10:10"] { try await news.tick(time) }
    try await news.answer(.snooze, by: "ben")
    #expect(news.told(news.anna).count == 2)
    #expect(
      news.told(news.anna).last
        == "Ben snoozed 'Milk' at 10:10: nothing is left to do for you until it rings again")
  }

  @Test("nothing is told where the escalation says so, and to nobody whom it has not reached")
  func untold() async throws {
    let silent = try NewsFixture(EscalationRule(name: "home", tellsAnswer: false))
    let unreached = try NewsFixture { _, _ in .later(reason: "busy") }
    for news in [silent, unreached] {
      for time in ["10:00", "10:10"] { try await news.tick(time) }
      try await news.answer(.check, by: "ben")
      #expect(news.told(news.anna).isEmpty)
    }
  }

  @Test("a copy that can be changed is changed instead, also that of who answered")
  func withdrawable() async throws {
    let news = try NewsFixture(canWithdraw: true)
    for time in ["10:00", "10:10"] { try await news.tick(time) }
    let answer = try await news.answer(.check, by: "ben")
    try news.fixture.answers.takeBack(answer)
    try await news.daemon.noticeChange()
    for sink in [news.anna, news.ben] {
      #expect(sink.attempts.compactMap(\.message.update?.state) == [.answered, .open])
    }
  }

  @Test("what arrives after the answer is told of at once")
  func late() async throws {
    let news = try NewsFixture()
    try await news.tick("10:00")
    news.ben.hang()
    try news.fixture.engine.setClock("2026-11-21T10:10:00+01:00")
    try await news.daemon.tick(hanging: 1)
    await news.ben.waitForAttempts(1)
    try news.fixture.answers.answer(.check, by: .name("anna"))
    try news.daemon.scheduler.storeChanged()
    news.ben.release()
    try await news.daemon.settle()
    #expect(news.told(news.ben) == ["Anna checked 'Milk' at 10:10: nothing is left to do for you"])
  }

  @Test("quiet hours hold the news, of a sink or of a person; taken back before they end, it is not told")
  func quiet() async throws {
    let hours = try NewsFixture.hours()
    let anna = Person(name: "anna", sinks: ["anna-phone"], quietHours: hours)
    for news in [try NewsFixture(quiet: hours), try NewsFixture(anna: anna)] {
      for time in ["10:00", "10:10"] { try await news.tick(time) }
      let answer = try await news.answer(.check, by: "ben")
      #expect(news.told(news.anna).isEmpty)
      try news.fixture.answers.takeBack(answer)
      try await news.answer(.acknowledge, by: "ben")
      try await news.tick("11:59")
      #expect(news.told(news.anna).isEmpty)
      try await news.tick("12:00")
      #expect(news.told(news.anna) == [Self.acknowledged])
    }
  }

  @Test("a retry of the news waits for the end of quiet hours as well")
  func retried() async throws {
    let end = try instant("2026-11-21T10:05:30+01:00")
    let news = try NewsFixture(quiet: NewsFixture.hours()) { attempt, earlier in
      attempt.message.update != nil && earlier == 1 ? .later(reason: "busy", retryAfter: end) : .delivered
    }
    try await news.tick("10:00")
    try await news.answer(.check, by: "ben")
    try await news.tick("10:06")
    #expect(news.told(news.anna).count == 1)
    try await news.tick("12:00")
    #expect(news.told(news.anna).count == 2)
    #expect(Set(news.anna.attempts.dropFirst().map(\.message.id)).count == 1)
  }

  @Test("news that waits is no message which a step would only repeat")
  func held() async throws {
    let absence = Absence(from: try wall("2026-11-21T11:00"), until: try wall("2026-11-21T11:15"))
    let anna = Person(name: "anna", sinks: ["anna-phone"], away: [try #require(absence)])
    let news = try NewsFixture(anna: anna, quiet: NewsFixture.hours())
    for time in ["10:00", "10:10"] { try await news.tick(time) }
    try await news.answer(.snooze, by: "ben")
    for time in ["11:10", "11:30"] { try await news.tick(time) }
    #expect(try news.pending().sorted() == ["anna-phone answered", "anna-phone fired"])
  }
}

/// An escalation with a daemon that sends its steps.
private struct NewsFixture {
  let fixture: EscalationFixture
  let daemon: TestDaemon
  let anna: RecordingSink
  let ben: RecordingSink

  var belfry: Belfry { fixture.engine.belfry }

  /// Quiet hours from 10:05 to 12:00.
  static func hours() throws -> QuietHours {
    let (from, to) = (try #require(TimeOfDay(parsing: "10:05")), try #require(TimeOfDay(parsing: "12:00")))
    return try #require(QuietHours(from: from, to: to))
  }

  /// - Parameters:
  ///   - recurrence: how the item repeats.
  ///   - quiet: the quiet hours of Anna's sink.
  init(
    _ rule: EscalationRule = EscalationRule(name: "home"), rule recurrence: String? = nil, canWithdraw: Bool = false,
    anna person: Person? = nil, quiet: QuietHours? = nil,
    answer: @escaping RecordingSink.Answer = { _, _ in .delivered }
  ) throws {
    var fixture = try EscalationFixture(rule)
    if let person { fixture.engine.settings.people[0] = person }
    fixture.engine.settings.sinkQuietHours["anna-phone"] = quiet
    try fixture.answers.add(rule: recurrence)
    self.fixture = fixture
    anna = RecordingSink(canWithdraw: canWithdraw, answer: answer)
    ben = RecordingSink(canWithdraw: canWithdraw)
    daemon = try TestDaemon(
      fixture.engine.belfry,
      sinks: [ActiveSink(name: "anna-phone", sink: anna, quietHours: quiet), ActiveSink(name: "ben-phone", sink: ben)])
  }

  /// Lets the daemon tick at a time in Zurich, as in `10:00` of the first day or `11-22T10:00`.
  func tick(_ time: String) async throws {
    try fixture.engine.setClock("2026-\(time.contains("T") ? time : "11-21T\(time)"):00+01:00")
    try await daemon.tick()
  }

  /// Answers the last ringing, and does what the daemon does then.
  @discardableResult
  func answer(_ word: ActionOperation.Word, by person: String) async throws -> Answer {
    let answer = try fixture.answers.answer(word, by: .name(person))
    try await daemon.noticeChange()
    return answer
  }

  /// The news that a sink was sent, in words.
  func told(_ sink: RecordingSink) -> [String] {
    sink.attempts.flatMap(\.message.contents).compactMap { $0.news(of: $0.text) }
  }

  /// The deliveries that wait, as `anna-phone fired`.
  func pending() throws -> [String] {
    var pending: [String] = []
    try fixture.engine.store.read { view in
      try view.forEachDelivery(state: .pending, limit: nil) { delivery, message in
        pending.append("\(delivery.sink) \(message.kind.rawValue.dropFirst("reminder.".count))")
      }
    }
    return pending
  }
}
