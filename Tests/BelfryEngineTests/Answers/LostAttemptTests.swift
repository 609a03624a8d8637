import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Attempts that were under way when the daemon was killed: only the crash shows them.
@Suite struct LostAttemptTests {
  /// A daemon that is killed during the attempts of a tick; they never end.
  private func kill(_ bench: WithdrawalBench, during tick: () throws -> Void) async throws {
    let count = bench.sink.attempts.count
    bench.sink.hang()
    try tick()
    try await bench.daemon.settle(hanging: 1)
    await bench.sink.waitForAttempts(count + 1)
  }

  private func killFirstAttempt(_ bench: WithdrawalBench) async throws {
    try bench.answers.bench.setClock("2026-11-21T10:00:00+01:00")
    try await kill(bench) { _ = try bench.daemon.scheduler.tick() }
  }

  private func start(
    _ bench: WithdrawalBench, isAfterCrash: Bool = true, answer: @escaping RecordingSink.Answer = { _, _ in .delivered }
  ) async throws -> (sink: RecordingSink, daemon: TestDaemon) {
    let sink = RecordingSink(canWithdraw: true, answer: answer)
    let daemon = try TestDaemon(
      bench.belfry, sinks: [ActiveSink(name: "phone", sink: sink)], isAfterCrash: isAfterCrash)
    try await daemon.tick()
    return (sink, daemon)
  }

  private func told(_ sink: RecordingSink) -> [String] {
    sink.attempts.compactMap(\.message.update).map { "\($0.number) \($0.state.rawValue) \($0.words)" }
  }

  private func outcomes(_ bench: WithdrawalBench, of delivery: Int64 = 1) throws -> [AttemptRecord.Outcome] {
    try bench.answers.bench.store.read { try $0.attempts(of: delivery) }.map(\.outcome)
  }

  @Test("an answer from between the kill and the next start is told to the copy that may be there")
  func answeredBetween() async throws {
    let bench = try WithdrawalBench()
    try await killFirstAttempt(bench)
    try bench.answers.answer(.acknowledge)
    #expect(try bench.states() == ["fired discarded"])
    let next = try await start(bench)
    #expect(told(next.sink) == ["1 answered acknowledged"])
    #expect(next.daemon.events.contains { $0.level == .warning && $0.message.contains("1 delivery ") })
    #expect(try outcomes(bench) == [.unknown])
    // Each is found once.
    let last = try await start(bench)
    #expect(last.sink.attempts.isEmpty)
    #expect(try outcomes(bench) == [.unknown])
    bench.sink.release()
  }

  @Test("an answer by a clock that is behind the daemon's is told too")
  func answeredBehind() async throws {
    let bench = try WithdrawalBench()
    try await killFirstAttempt(bench)
    bench.answers.bench.time.advance(by: -2)
    try bench.answers.answer(.acknowledge)
    bench.answers.bench.time.advance(by: 2)
    let next = try await start(bench)
    #expect(told(next.sink) == ["1 answered acknowledged"])
    #expect(try outcomes(bench) == [.unknown])
    bench.sink.release()
  }

  @Test("an answer from before the kill is told too")
  func answeredBefore() async throws {
    let bench = try WithdrawalBench()
    try await killFirstAttempt(bench)
    try bench.answers.answer(.check)
    try bench.daemon.scheduler.storeChanged()
    let next = try await start(bench)
    #expect(told(next.sink) == ["1 answered checked 'Milk'"])
    bench.sink.release()
  }

  @Test("an answer to a reminder that is attempted anew, and surely in vain, is told to the copy of the kill")
  func answeredAfter() async throws {
    let bench = try WithdrawalBench()
    try await killFirstAttempt(bench)
    let next = try await start(bench) { attempt, _ in
      attempt.message.update == nil ? .later(reason: "connection refused") : .delivered
    }
    #expect(try outcomes(bench) == [.unknown, .later])
    try bench.answers.answer(.acknowledge)
    try await next.daemon.noticeChange()
    #expect(told(next.sink) == ["1 answered acknowledged"])
    bench.sink.release()
  }

  @Test("a retry under way at the kill counts as well, one that was not yet due does not", arguments: [false, true])
  func retry(isDue: Bool) async throws {
    let bench = try WithdrawalBench { _, _ in .later(reason: "connection refused") }
    try await bench.ring()
    if isDue {
      bench.answers.bench.time.advance(by: 10)
      try await kill(bench) { _ = try bench.daemon.scheduler.tick() }
    }
    try bench.answers.answer(.acknowledge)
    let next = try await start(bench)
    #expect(told(next.sink) == (isDue ? ["1 answered acknowledged"] : []))
    #expect(try outcomes(bench) == (isDue ? [.later, .unknown] : [.later]))
    bench.sink.release()
  }

  @Test("an update that was replaced while the killed daemon sent it is followed by the present state")
  func update() async throws {
    let bench = try WithdrawalBench()
    try await bench.ring()
    let answer = try bench.answers.answer(.acknowledge)
    try await kill(bench) { try bench.daemon.scheduler.storeChanged() }
    try bench.answers.takeBack(answer)
    #expect(try bench.states() == ["fired delivered", "answered discarded"])
    let next = try await start(bench)
    #expect(told(next.sink) == ["2 open open again"])
    bench.sink.release()
  }

  @Test("without a crash, and where nobody would be told of the answer, what was answered is not taken for lost")
  func nothingLost() async throws {
    let bench = try WithdrawalBench()
    try await killFirstAttempt(bench)
    try bench.answers.answer(.acknowledge)
    #expect(try await start(bench, isAfterCrash: false).sink.attempts.isEmpty)
    #expect(try outcomes(bench).isEmpty)
    bench.sink.release()
    let mails = try AnswerBench()
    try mails.add()
    try mails.ring("10:00")
    try mails.answer(.acknowledge)
    let mail = ActiveSink(name: "sink", sink: RecordingSink())
    try await TestDaemon(mails.bench.belfry, sinks: [mail], isAfterCrash: true).tick()
    #expect(try mails.bench.store.read { try $0.attempts(of: 1) }.isEmpty)
  }

  @Test("a message that goes out again after a crash has the attempt that the crash cut off, whatever its sink")
  func sentAgain() async throws {
    let mails = try AnswerBench()
    try mails.add()
    try mails.ring("10:00")
    let mail = ActiveSink(name: "sink", sink: RecordingSink())
    try await TestDaemon(mails.bench.belfry, sinks: [mail], isAfterCrash: true).tick()
    #expect(try mails.bench.store.read { try $0.attempts(of: 1) }.map(\.outcome) == [.unknown, .delivered])
  }

  @Test("of many deliveries that are due only those that a sink began may have been under way")
  func many() async throws {
    let bench = Bench()
    for number in 1...20 { try bench.add("\(number)", due: "2026-11-21T10:00") }
    let sink = RecordingSink(concurrency: 3)
    let daemon = try TestDaemon(bench.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try bench.setClock("2026-11-21T10:00:00+01:00")
    sink.hang()
    try await daemon.tick(hanging: 20)
    await sink.waitForAttempts(3)
    let next = try TestDaemon(bench.belfry, sinks: daemon.scheduler.ownSinks, isAfterCrash: true)
    #expect(next.events.contains { $0.level == .warning && $0.message.contains("6 deliveries ") })
    #expect(try lost(bench) == [1, 2, 3, 4, 5, 6])
    sink.release()
  }

  @Test("a retry that was under way counts, although older reminders were claimed after it had begun")
  func retryBeforeClaim() async throws {
    let bench = Bench()
    try bench.add("retried", due: "2026-11-21T10:00")
    for number in 1...5 { try bench.add("\(number)", due: "2026-11-21T10:05") }
    let retry = try instant("2026-11-21T10:05:30+01:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy", retryAfter: retry)])
    let daemon = try TestDaemon(bench.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try bench.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try bench.setClock("2026-11-21T10:06:00+01:00")
    sink.hang()
    try await daemon.tick(hanging: 6)
    await sink.waitForAttempts(2)
    #expect(sink.texts == ["retried", "retried"])
    _ = try TestDaemon(bench.belfry, sinks: daemon.scheduler.ownSinks, isAfterCrash: true)
    #expect(try lost(bench) == [1, 2])
    sink.release()
  }

  private func lost(_ bench: Bench) throws -> [Int64] {
    try bench.store.read { view in
      try bench.deliveries().map(\.id).sorted()
        .filter { try view.attempts(of: $0).contains { $0.outcome == .unknown } }
    }
  }
}
