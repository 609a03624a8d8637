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
    let bench = try WithdrawalBench { attempt, _ in attempt.message.update == nil ? .delivered : Self.busy }
    try await bench.ring()
    try bench.answers.press(.acknowledge, as: "a")
    try bench.answers.press(.acknowledge, as: "a")
    try bench.answers.press(.acknowledge, as: "b")
    try await bench.daemon.noticeChange()
    #expect(try bench.states() == ["fired delivered", "answered pending"])
    try bench.answers.press(.check)
    _ = try bench.belfry.setChecked(true, [1])
    _ = try bench.belfry.delete([1])
    #expect(try bench.states() == ["fired delivered", "answered discarded", "answered discarded", "answered pending"])
    try await bench.daemon.noticeChange()
    #expect(bench.told == ["1 answered acknowledged", "3 answered deleted"])
  }

  @Test("taking back opens the copy again, with its actions; an update that nobody saw is only discarded")
  func takenBack() async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    try bench.answers.takeBack(bench.answers.answer(.acknowledge))
    #expect(try bench.states() == ["fired delivered", "answered discarded"])
    try await bench.daemon.noticeChange()
    #expect(bench.told.isEmpty)
    let answer = try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    try bench.answers.takeBack(answer)
    try await bench.daemon.noticeChange()
    #expect(bench.told == ["2 answered acknowledged", "3 open open again"])
    let (first, last) = (try #require(bench.sink.attempts.first), try #require(bench.sink.attempts.last))
    #expect(last.message.kind == .reopened)
    #expect(last.message.contents[0].actions == first.message.contents[0].actions)
    #expect(Set(bench.updates.map(\.messageID)) == [first.message.id])
    // A second answer is sent once more.
    try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    #expect(bench.told.last == "4 answered acknowledged")
  }

  @Test("an opened copy whose reminder has rung again by a snooze stays as it is")
  func rungAgain() async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    try bench.answers.answer(.snooze)
    try await bench.tick("11-21T11:00:00")
    let fired = bench.sink.attempts.filter { $0.message.kind == .fired }.map(\.message.id)
    let answer = try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    try bench.answers.takeBack(answer)
    try await bench.daemon.noticeChange()
    #expect(bench.updates.map { fired.firstIndex(of: $0.messageID) } == [0, 1, 1])
    #expect(bench.updates.map(\.state) == [.answered, .answered, .open])
  }

  @Test("quiet hours hold no update: neither its first attempt nor the next")
  func quietHours() async throws {
    let (from, to) = (try #require(TimeOfDay(parsing: "10:01")), try #require(TimeOfDay(parsing: "12:00")))
    let bench = try WithdrawalBench(quietHours: QuietHours(from: from, to: to)) { _, earlier in
      earlier == 1 ? Self.busy : .delivered
    }
    try await bench.ring()
    bench.answers.bench.time.advance(by: 120)
    try bench.answers.answer(.check)
    try await bench.daemon.noticeChange()
    bench.answers.bench.time.advance(by: 10)
    try await bench.daemon.tick()
    #expect(bench.told == ["1 answered checked 'Milk'", "1 answered checked 'Milk'"])
    #expect(Set(bench.sink.attempts.dropFirst().map(\.message.id)).count == 1)
    #expect(try bench.states() == ["fired delivered", "answered delivered"])
  }

  @Test("an update that dies is logged, and causes no failure notice; a later one takes its place")
  func dead() async throws {
    let notified = RecordingSink()
    let bench = try WithdrawalBench(onFailure: ActiveSink(name: "terminal", sink: notified)) { attempt, _ in
      attempt.message.update?.number == 1 ? .never(reason: "no such message") : .delivered
    }
    try await bench.ring()
    try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    #expect(notified.attempts.isEmpty)
    #expect(try bench.states() == ["fired delivered", "answered dead"])
    #expect(bench.daemon.events.contains { $0.level == .error && $0.message.contains("no such message") })
    try bench.answers.answer(.check)
    try await bench.daemon.noticeChange()
    #expect(try bench.states() == ["fired delivered", "answered discarded", "answered delivered"])
    #expect(try bench.belfry.retryDeliveries(nil).isEmpty)
  }

  @Test("a sink that needs the user is told of by the update that found it")
  func needsAttention() async throws {
    let notified = RecordingSink()
    let bench = try WithdrawalBench(onFailure: ActiveSink(name: "terminal", sink: notified)) { attempt, _ in
      attempt.message.update == nil ? .delivered : .later(reason: "401", needsAttention: true)
    }
    try await bench.ring()
    try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    let notice = try only(notified.attempts).message
    #expect(notice.kind == .failed && notice.update == nil && notice.contents[0].update == nil)
  }

  @Test("a sink that can no longer change what it sent gets no update")
  func noLonger() async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    try bench.answers.answer(.acknowledge)
    let mail = RecordingSink()
    try await TestDaemon(bench.belfry, sinks: [ActiveSink(name: "phone", sink: mail)]).tick()
    #expect(mail.attempts.isEmpty)
    #expect(try bench.states() == ["fired delivered", "answered dead"])
  }

  @Test("an update for a sink that is no longer there dies at once, saying so", arguments: [false, true])
  func goneSink(isNoticed: Bool) async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    let notified = RecordingSink()
    var other = bench.answers.bench
    other.settings.failureTargets = ["phone": "terminal"]
    let daemon = try TestDaemon(other.belfry, sinks: [ActiveSink(name: "terminal", sink: notified)])
    try bench.answers.answer(.acknowledge)
    #expect(try bench.states() == ["fired delivered", "answered pending"])
    if isNoticed { try await daemon.noticeChange() } else { try await daemon.tick() }
    #expect(try bench.states() == ["fired delivered", "answered dead"])
    let reason = "the sink 'phone' is switched off or not in the config"
    #expect(try other.deliveries().last?.lastError == reason)
    #expect(daemon.events.contains { $0.level == .error && $0.message.hasPrefix("1 delivery given up") })
    #expect(notified.attempts.isEmpty)
  }

  @Test("an attempt with an unknown outcome has made a copy, whose update takes the place of the retry")
  func unknownOutcome() async throws {
    let bench = try WithdrawalBench { _, earlier in earlier == 0 ? .unknown(reason: "no answer") : .delivered }
    try await bench.ring()
    let answer = try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    #expect(bench.told == ["1 answered acknowledged"])
    try bench.answers.takeBack(answer)
    try await bench.daemon.noticeChange()
    try bench.answers.answer(.check)
    try await bench.daemon.noticeChange()
    #expect(bench.told.last == "3 answered checked 'Milk'")
    #expect(
      try bench.states() == ["fired delivered", "answered delivered", "reopened delivered", "answered delivered"])
  }

  @Test("a message that was given up after an unknown outcome may be there, and is updated")
  func givenUp() async throws {
    let bench = try WithdrawalBench { attempt, earlier in
      guard attempt.message.update == nil else { return .delivered }
      return earlier == 0 ? .unknown(reason: "no answer") : .never(reason: "not again")
    }
    try await bench.ring()
    bench.answers.bench.time.advance(by: 10)
    try await bench.daemon.tick()
    try bench.answers.answer(.acknowledge)
    try await bench.daemon.noticeChange()
    #expect(bench.told == ["1 answered acknowledged"])
    #expect(try bench.states() == ["fired dead", "answered delivered"])
  }

  @Test("what was answered while it was with its sink is told when the attempt has ended", arguments: [false, true])
  func underWay(isKilled: Bool) async throws {
    let bench = try WithdrawalBench()
    bench.sink.hang()
    try bench.answers.bench.setClock("2026-11-21T10:00:00+01:00")
    try await bench.daemon.tick(hanging: 1)
    await bench.sink.waitForAttempts(1)
    try bench.answers.answer(.acknowledge)
    #expect(try bench.states() == ["fired discarded"])
    try bench.daemon.scheduler.storeChanged()
    if isKilled {
      bench.daemon.scheduler.stop()
      #expect(try bench.daemon.scheduler.abandon() == 1)
      bench.sink.release()
    } else {
      bench.sink.release()
      try await bench.daemon.settle()
      #expect(bench.told == ["1 answered acknowledged"])
    }
    #expect(try bench.states() == ["fired discarded", "answered \(isKilled ? "pending" : "delivered")"])
  }

  @Test("an update that was replaced while it was with its sink is sent once more, the later one last")
  func replacedUnderWay() async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    let answer = try bench.answers.answer(.acknowledge)
    bench.sink.hang()
    try bench.daemon.scheduler.storeChanged()
    try await bench.daemon.settle(hanging: 1)
    await bench.sink.waitForAttempts(2)
    try bench.answers.takeBack(answer)
    bench.sink.release()
    try await bench.daemon.settle()
    #expect(bench.told.first == "1 answered acknowledged" && bench.told.last == "2 open open again")
  }

  @Test("an update goes with its message's history")
  func pruned() async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    try bench.answers.answer(.check)
    try await bench.daemon.noticeChange()
    #expect(try bench.answers.bench.store.read { try $0.deliveries(of: .item(1), state: nil).count } == 2)
    bench.answers.bench.time.advance(by: 40 * 86_400)
    try bench.daemon.scheduler.tidyWhenIdle()
    #expect(try bench.states().isEmpty)
  }

  @Test("a change that fails tells nobody")
  func failedChange() async throws {
    let store = FailingStore(MemoryStore())
    store.isFailing = false
    let bench = try WithdrawalBench(store: store)
    try await bench.ring()
    store.isFailing = true
    #expect(throws: BelfryError.self) { _ = try bench.answers.press(.check) }
    store.isFailing = false
    try await bench.daemon.noticeChange()
    #expect(bench.told.isEmpty)
    #expect(try bench.states() == ["fired delivered"])
  }
}
