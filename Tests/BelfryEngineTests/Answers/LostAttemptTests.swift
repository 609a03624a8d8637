import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Attempts that were under way when the daemon was killed: only the crash shows them.
@Suite struct LostAttemptTests {
  /// A daemon that is killed during the attempts of a tick; they never end.
  private func kill(_ fixture: WithdrawalFixture, during tick: () throws -> Void) async throws {
    let count = fixture.sink.attempts.count
    fixture.sink.hang()
    try tick()
    try await fixture.daemon.settle(hanging: 1)
    await fixture.sink.waitForAttempts(count + 1)
  }

  private func killFirstAttempt(_ fixture: WithdrawalFixture) async throws {
    try fixture.answers.engine.setClock("2026-11-21T10:00:00+01:00")
    try await kill(fixture) { _ = try fixture.daemon.scheduler.tick() }
  }

  private func start(
    _ fixture: WithdrawalFixture, isAfterCrash: Bool = true,
    answer: @escaping RecordingSink.Answer = { _, _ in .delivered }
  ) async throws -> (sink: RecordingSink, daemon: TestDaemon) {
    let sink = RecordingSink(canWithdraw: true, answer: answer)
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "phone", sink: sink)], isAfterCrash: isAfterCrash)
    try await daemon.tick()
    return (sink, daemon)
  }

  private func told(_ sink: RecordingSink) -> [String] {
    sink.attempts.compactMap(\.message.update).map { "\($0.number) \($0.state.rawValue) \($0.words)" }
  }

  private func outcomes(_ fixture: WithdrawalFixture, of delivery: Int64 = 1) throws -> [AttemptRecord.Outcome] {
    try fixture.answers.engine.store.read { try $0.attempts(of: delivery) }.map(\.outcome)
  }

  @Test("an answer from between the kill and the next start is told to the copy that may be there")
  func answeredBetween() async throws {
    let fixture = try WithdrawalFixture()
    try await killFirstAttempt(fixture)
    try fixture.answers.answer(.acknowledge)
    #expect(try fixture.states() == ["fired discarded"])
    let next = try await start(fixture)
    #expect(told(next.sink) == ["1 answered acknowledged"])
    #expect(next.daemon.events.contains { $0.level == .warning && $0.message.contains("1 delivery ") })
    #expect(try outcomes(fixture) == [.unknown])
    // Each is found once.
    let last = try await start(fixture)
    #expect(last.sink.attempts.isEmpty)
    #expect(try outcomes(fixture) == [.unknown])
    fixture.sink.release()
  }

  @Test("what was given up without an attempt and then put away was not under way")
  func putAway() async throws {
    let fixture = try WithdrawalFixture()
    try fixture.answers.engine.setClock("2026-11-21T10:00:00+01:00")
    try fixture.answers.engine.claim(["phone"])
    _ = try fixture.belfry.closeDeliveries(exceptOf: [])
    #expect(try fixture.belfry.discardDeliveries(nil).count == 1)
    fixture.answers.engine.time.advance(by: 600)
    #expect(try await start(fixture).sink.attempts.isEmpty)
    #expect(try outcomes(fixture).isEmpty)
  }

  @Test("an answer by a clock that is behind the daemon's is told too")
  func answeredBehind() async throws {
    let fixture = try WithdrawalFixture()
    try await killFirstAttempt(fixture)
    fixture.answers.engine.time.advance(by: -2)
    try fixture.answers.answer(.acknowledge)
    fixture.answers.engine.time.advance(by: 2)
    let next = try await start(fixture)
    #expect(told(next.sink) == ["1 answered acknowledged"])
    #expect(try outcomes(fixture) == [.unknown])
    fixture.sink.release()
  }

  @Test("an answer from before the kill is told too")
  func answeredBefore() async throws {
    let fixture = try WithdrawalFixture()
    try await killFirstAttempt(fixture)
    try fixture.answers.answer(.check)
    try fixture.daemon.scheduler.storeChanged()
    let next = try await start(fixture)
    #expect(told(next.sink) == ["1 answered checked 'Milk'"])
    fixture.sink.release()
  }

  @Test("an answer to a reminder that is attempted anew, and surely in vain, is told to the copy of the kill")
  func answeredAfter() async throws {
    let fixture = try WithdrawalFixture()
    try await killFirstAttempt(fixture)
    let next = try await start(fixture) { attempt, _ in
      attempt.message.update == nil ? .later(reason: "connection refused") : .delivered
    }
    #expect(try outcomes(fixture) == [.unknown, .later])
    try fixture.answers.answer(.acknowledge)
    try await next.daemon.noticeChange()
    #expect(told(next.sink) == ["1 answered acknowledged"])
    fixture.sink.release()
  }

  @Test("a retry under way at the kill counts as well, one that was not yet due does not", arguments: [false, true])
  func retry(isDue: Bool) async throws {
    let fixture = try WithdrawalFixture { _, _ in .later(reason: "connection refused") }
    try await fixture.ring()
    if isDue {
      fixture.answers.engine.time.advance(by: 10)
      try await kill(fixture) { _ = try fixture.daemon.scheduler.tick() }
    }
    try fixture.answers.answer(.acknowledge)
    let next = try await start(fixture)
    #expect(told(next.sink) == (isDue ? ["1 answered acknowledged"] : []))
    #expect(try outcomes(fixture) == (isDue ? [.later, .unknown] : [.later]))
    fixture.sink.release()
  }

  @Test("an update that was replaced while the killed daemon sent it is followed by the present state")
  func update() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    let answer = try fixture.answers.answer(.acknowledge)
    try await kill(fixture) { try fixture.daemon.scheduler.storeChanged() }
    try fixture.answers.takeBack(answer)
    #expect(try fixture.states() == ["fired delivered", "answered discarded"])
    let next = try await start(fixture)
    #expect(told(next.sink) == ["2 open open again"])
    fixture.sink.release()
  }

  @Test("without a crash, and where nobody would be told of the answer, what was answered is not taken for lost")
  func nothingLost() async throws {
    let fixture = try WithdrawalFixture()
    try await killFirstAttempt(fixture)
    try fixture.answers.answer(.acknowledge)
    #expect(try await start(fixture, isAfterCrash: false).sink.attempts.isEmpty)
    #expect(try outcomes(fixture).isEmpty)
    fixture.sink.release()
    let mails = try AnswerFixture()
    try mails.add()
    try mails.ring("10:00")
    try mails.answer(.acknowledge)
    let mail = ActiveSink(name: "sink", sink: RecordingSink())
    try await TestDaemon(mails.engine.belfry, sinks: [mail], isAfterCrash: true).tick()
    #expect(try mails.engine.store.read { try $0.attempts(of: 1) }.isEmpty)
  }

  @Test("a message that goes out again after a crash has the attempt that the crash cut off, whatever its sink")
  func sentAgain() async throws {
    let mails = try AnswerFixture()
    try mails.add()
    try mails.ring("10:00")
    let mail = ActiveSink(name: "sink", sink: RecordingSink())
    try await TestDaemon(mails.engine.belfry, sinks: [mail], isAfterCrash: true).tick()
    #expect(try mails.engine.store.read { try $0.attempts(of: 1) }.map(\.outcome) == [.unknown, .delivered])
  }

  @Test("of many deliveries that are due only those that a sink began may have been under way")
  func many() async throws {
    let fixture = EngineFixture()
    for number in 1...20 { try fixture.add("\(number)", due: "2026-11-21T10:00") }
    let sink = RecordingSink(concurrency: 3)
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    sink.hang()
    try await daemon.tick(hanging: 20)
    await sink.waitForAttempts(3)
    let next = try TestDaemon(fixture.belfry, sinks: daemon.scheduler.ownSinks, isAfterCrash: true)
    #expect(next.events.contains { $0.level == .warning && $0.message.contains("6 deliveries ") })
    #expect(try lost(fixture) == [1, 2, 3, 4, 5, 6])
    sink.release()
  }

  @Test("a retry that was under way counts, although older reminders were claimed after it had begun")
  func retryBeforeClaim() async throws {
    let fixture = EngineFixture()
    try fixture.add("retried", due: "2026-11-21T10:00")
    for number in 1...5 { try fixture.add("\(number)", due: "2026-11-21T10:05") }
    let retry = try instant("2026-11-21T10:05:30+01:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy", retryAfter: retry)])
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try fixture.setClock("2026-11-21T10:06:00+01:00")
    sink.hang()
    try await daemon.tick(hanging: 6)
    await sink.waitForAttempts(2)
    #expect(sink.texts == ["retried", "retried"])
    _ = try TestDaemon(fixture.belfry, sinks: daemon.scheduler.ownSinks, isAfterCrash: true)
    #expect(try lost(fixture) == [1, 2])
    sink.release()
  }

  private func lost(_ fixture: EngineFixture) throws -> [Int64] {
    try fixture.store.read { view in
      try fixture.deliveries().map(\.id).sorted()
        .filter { try view.attempts(of: $0).contains { $0.outcome == .unknown } }
    }
  }
}
