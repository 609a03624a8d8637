import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Updates that overtake each other, fail, or meet an attempt under way.
@Suite struct SupersededUpdateTests {
  private static let busy = DeliveryOutcome.later(reason: "busy")

  @Test("a repetition or a weaker answer writes no update, a stronger one replaces what waits")
  func stronger() async throws {
    let fixture = try WithdrawalFixture { attempt, _ in attempt.message.update == nil ? .delivered : Self.busy }
    try await fixture.ring()
    try fixture.answers.press(.acknowledge, as: "a")
    try fixture.answers.press(.acknowledge, as: "a")
    try fixture.answers.press(.acknowledge, as: "b")
    try await fixture.daemon.noticeChange()
    #expect(try fixture.states() == ["fired delivered", "answered pending"])
    try fixture.answers.press(.check)
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.delete([1])
    #expect(
      try fixture.states() == ["fired delivered", "answered discarded", "answered discarded", "answered pending"])
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["1 answered acknowledged", "3 answered deleted"])
  }

  @Test("taking back opens the copy again, with its actions; an update that nobody saw is only discarded")
  func takenBack() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    try fixture.answers.takeBack(fixture.answers.answer(.acknowledge))
    #expect(try fixture.states() == ["fired delivered", "answered discarded"])
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.isEmpty)
    let answer = try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    try fixture.answers.takeBack(answer)
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["2 answered acknowledged", "3 open open again"])
    let (first, last) = (try #require(fixture.sink.attempts.first), try #require(fixture.sink.attempts.last))
    #expect(last.message.kind == .reopened)
    #expect(last.message.contents[0].actions == first.message.contents[0].actions)
    #expect(Set(fixture.updates.map(\.messageID)) == [first.message.id])
    // A second answer is sent once more.
    try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.last == "4 answered acknowledged")
  }

  @Test("an opened copy whose reminder has rung again by a snooze stays as it is")
  func rungAgain() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    try fixture.answers.answer(.snooze)
    try await fixture.tick("11-21T11:00:00")
    let fired = fixture.sink.attempts.filter { $0.message.kind == .fired }.map(\.message.id)
    let answer = try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    try fixture.answers.takeBack(answer)
    try await fixture.daemon.noticeChange()
    #expect(fixture.updates.map { fired.firstIndex(of: $0.messageID) } == [0, 1, 1])
    #expect(fixture.updates.map(\.state) == [.answered, .answered, .open])
  }

  @Test("quiet hours hold no update: neither its first attempt nor the next")
  func quietHours() async throws {
    let (from, to) = (try #require(TimeOfDay(parsing: "10:01")), try #require(TimeOfDay(parsing: "12:00")))
    let fixture = try WithdrawalFixture(quietHours: QuietHours(from: from, to: to)) { _, earlier in
      earlier == 1 ? Self.busy : .delivered
    }
    try await fixture.ring()
    fixture.answers.engine.time.advance(by: 120)
    try fixture.answers.answer(.check)
    try await fixture.daemon.noticeChange()
    fixture.answers.engine.time.advance(by: 10)
    try await fixture.daemon.tick()
    #expect(fixture.told == ["1 answered checked 'Milk'", "1 answered checked 'Milk'"])
    #expect(Set(fixture.sink.attempts.dropFirst().map(\.message.id)).count == 1)
    #expect(try fixture.states() == ["fired delivered", "answered delivered"])
  }

  @Test("an update that dies is logged, and causes no failure notice; a later one takes its place")
  func dead() async throws {
    let notified = RecordingSink()
    let fixture = try WithdrawalFixture(onFailure: ActiveSink(name: "terminal", sink: notified)) { attempt, _ in
      attempt.message.update?.number == 1 ? .never(reason: "no such message") : .delivered
    }
    try await fixture.ring()
    try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    #expect(notified.attempts.isEmpty)
    #expect(try fixture.states() == ["fired delivered", "answered dead"])
    #expect(fixture.daemon.events.contains { $0.level == .error && $0.message.contains("no such message") })
    try fixture.answers.answer(.check)
    try await fixture.daemon.noticeChange()
    #expect(try fixture.states() == ["fired delivered", "answered discarded", "answered delivered"])
    #expect(try fixture.belfry.retryDeliveries(nil).isEmpty)
  }

  @Test("a sink that needs the user is told of by the update that found it")
  func needsAttention() async throws {
    let notified = RecordingSink()
    let fixture = try WithdrawalFixture(onFailure: ActiveSink(name: "terminal", sink: notified)) { attempt, _ in
      attempt.message.update == nil ? .delivered : .later(reason: "401", needsAttention: true)
    }
    try await fixture.ring()
    try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    let notice = try only(notified.attempts).message
    #expect(notice.kind == .failed && notice.update == nil && notice.contents[0].update == nil)
  }

  @Test("a sink that can no longer change what it sent gets no update")
  func noLonger() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    try fixture.answers.answer(.acknowledge)
    let mail = RecordingSink()
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "phone", sink: mail)]).tick()
    #expect(mail.attempts.isEmpty)
    #expect(try fixture.states() == ["fired delivered", "answered dead"])
  }

  @Test("an update for a sink that is no longer there dies at once, saying so", arguments: [false, true])
  func goneSink(isNoticed: Bool) async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    let notified = RecordingSink()
    var other = fixture.answers.engine
    other.settings.failureTargets = ["phone": "terminal"]
    let daemon = try TestDaemon(other.belfry, sinks: [ActiveSink(name: "terminal", sink: notified)])
    try fixture.answers.answer(.acknowledge)
    #expect(try fixture.states() == ["fired delivered", "answered pending"])
    if isNoticed { try await daemon.noticeChange() } else { try await daemon.tick() }
    #expect(try fixture.states() == ["fired delivered", "answered dead"])
    let reason = "the sink 'phone' is switched off or not in the config"
    #expect(try other.deliveries().last?.lastError == reason)
    #expect(daemon.events.contains { $0.level == .error && $0.message.hasPrefix("1 delivery given up") })
    #expect(notified.attempts.isEmpty)
  }

  @Test("an attempt with an unknown outcome has made a copy, whose update takes the place of the retry")
  func unknownOutcome() async throws {
    let fixture = try WithdrawalFixture { _, earlier in earlier == 0 ? .unknown(reason: "no answer") : .delivered }
    try await fixture.ring()
    let answer = try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["1 answered acknowledged"])
    try fixture.answers.takeBack(answer)
    try await fixture.daemon.noticeChange()
    try fixture.answers.answer(.check)
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.last == "3 answered checked 'Milk'")
    #expect(
      try fixture.states() == ["fired delivered", "answered delivered", "reopened delivered", "answered delivered"])
  }

  @Test("a message that was given up after an unknown outcome may be there, and is updated")
  func givenUp() async throws {
    let fixture = try WithdrawalFixture { attempt, earlier in
      guard attempt.message.update == nil else { return .delivered }
      return earlier == 0 ? .unknown(reason: "no answer") : .never(reason: "not again")
    }
    try await fixture.ring()
    fixture.answers.engine.time.advance(by: 10)
    try await fixture.daemon.tick()
    try fixture.answers.answer(.acknowledge)
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["1 answered acknowledged"])
    #expect(try fixture.states() == ["fired dead", "answered delivered"])
  }

  @Test("what was answered while it was with its sink is told when the attempt has ended", arguments: [false, true])
  func underWay(isKilled: Bool) async throws {
    let fixture = try WithdrawalFixture()
    fixture.sink.hang()
    try fixture.answers.engine.setClock("2026-11-21T10:00:00+01:00")
    try await fixture.daemon.tick(hanging: 1)
    await fixture.sink.waitForAttempts(1)
    try fixture.answers.answer(.acknowledge)
    #expect(try fixture.states() == ["fired discarded"])
    try fixture.daemon.scheduler.storeChanged()
    if isKilled {
      fixture.daemon.scheduler.stop()
      #expect(try fixture.daemon.scheduler.abandon() == 1)
      fixture.sink.release()
    } else {
      fixture.sink.release()
      try await fixture.daemon.settle()
      #expect(fixture.told == ["1 answered acknowledged"])
    }
    #expect(try fixture.states() == ["fired discarded", "answered \(isKilled ? "pending" : "delivered")"])
  }

  @Test("an update that was replaced while it was with its sink is sent once more, the later one last")
  func replacedUnderWay() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    let answer = try fixture.answers.answer(.acknowledge)
    fixture.sink.hang()
    try fixture.daemon.scheduler.storeChanged()
    try await fixture.daemon.settle(hanging: 1)
    await fixture.sink.waitForAttempts(2)
    try fixture.answers.takeBack(answer)
    fixture.sink.release()
    try await fixture.daemon.settle()
    #expect(fixture.told.first == "1 answered acknowledged" && fixture.told.last == "2 open open again")
  }

  @Test("an update goes with its message's history")
  func pruned() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    try fixture.answers.answer(.check)
    try await fixture.daemon.noticeChange()
    #expect(try fixture.answers.engine.store.read { try $0.deliveries(of: .item(1), state: nil).count } == 2)
    fixture.answers.engine.time.advance(by: 40 * 86_400)
    try fixture.daemon.scheduler.tidyWhenIdle()
    #expect(try fixture.states().isEmpty)
  }

  @Test("a change that fails tells nobody")
  func failedChange() async throws {
    let store = FailingStore(MemoryStore())
    store.isFailing = false
    let fixture = try WithdrawalFixture(store: store)
    try await fixture.ring()
    store.isFailing = true
    #expect(throws: BelfryError.self) { _ = try fixture.answers.press(.check) }
    store.isFailing = false
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.isEmpty)
    #expect(try fixture.states() == ["fired delivered"])
  }
}
