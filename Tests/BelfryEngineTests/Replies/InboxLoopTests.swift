import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The connections of an inbox, one after the other.
@Suite struct InboxLoopTests {
  private let fixture: InboxFixture
  private let waits: InstantWaits

  init() throws {
    fixture = try InboxFixture()
    waits = InstantWaits(fixture.time)
  }

  private func loop(
    isWaiting: Bool = true, _ connections: [ScriptedSource.Connection], random: Double = 0,
    waits: (any TaskWaits)? = nil
  ) throws -> InboxLoop {
    InboxLoop(
      source: ScriptedSource(isWaiting: isWaiting, connections), inbox: try fixture.inbox(), waits: waits ?? self.waits,
      random: { random })
  }

  private static func failing(_ reason: String = "no route", after: Date? = nil) -> ScriptedSource.Connection {
    { _ in .later(reason: reason, retryAfter: after) }
  }

  /// A connection that lasts for a while.
  private func standing(_ seconds: Double, _ end: ReceiveOutcome) -> ScriptedSource.Connection {
    { [fixture] inbox in
      try? inbox.connected()
      fixture.time.advance(by: seconds)
      return end
    }
  }

  private func problem() throws -> String? { try fixture.kept()?.problem }

  @Test(
    "after each failure the next connection comes later, with jitter; the problem is told once", arguments: [0.0, 1])
  func backoff(random: Double) async throws {
    let outcomes = [ScriptedSource.Connection](repeating: Self.failing(), count: 7)
    try await loop(outcomes, random: random).run()
    let expected = [1, 5, 30, 120, 300, 300, 300].map { $0 * (1 + RetryPolicy.jitter * random) }
    #expect(waits.seconds.count == expected.count)
    #expect(zip(waits.seconds, expected).allSatisfy { abs($0 - $1) < 0.001 }, "\(waits.seconds)")
    #expect(try problem() == "it is over")
    #expect(
      fixture.messages == [
        "sink 'phone' receives no answers: no route", "sink 'phone' receives no answers: it is over",
      ])
  }

  @Test(
    "the other side can ask for a longer pause, of an hour at most",
    arguments: [(0.5, 1.0), (600, 600), (7_200, 3_600)])
  func retryAfter(seconds: Double, waited: Double) async throws {
    try await loop([Self.failing(after: fixture.time.now + seconds)]).run()
    #expect(waits.seconds == [waited])
  }

  @Test("a connection that stood for a minute may end: the next one comes soon, and only its failure is a problem")
  func steady() async throws {
    let fixture = fixture
    let isKnown: ScriptedSource.Connection = { inbox in
      #expect((try? fixture.kept())?.problem == nil && fixture.messages.isEmpty)
      return .later(reason: "refused")
    }
    try await loop([
      standing(3_600, .later(reason: "reset")), standing(60, .later(reason: "reset")), standing(60, .ended), isKnown,
    ]).run()
    #expect(waits.seconds == [1, 1, 1, 5])
    #expect(fixture.messages.first == "sink 'phone' receives no answers: refused")
  }

  @Test("one that stood for less, or took long to fail, is a failure like any other")
  func unsteady() async throws {
    let fixture = fixture
    let slow: ScriptedSource.Connection = { _ in
      fixture.time.advance(by: 3_600)
      return .later(reason: "no answer")
    }
    try await loop([standing(3_600, .ended), standing(59, .later(reason: "reset")), slow]).run()
    #expect(waits.seconds == [1, 5, 30])
    #expect(
      fixture.messages == [
        "sink 'phone' receives no answers: reset", "sink 'phone' receives no answers: no answer",
        "sink 'phone' receives no answers: it is over",
      ])
  }

  @Test("a store that fails does not end the loop")
  func failingStore() async throws {
    let store = FailingStore(MemoryStore())
    store.isFailing = false
    let fixture = try InboxFixture(store: store)
    store.isFailing = true
    let waits = InstantWaits(fixture.time)
    let healing: ScriptedSource.Connection = { _ in
      store.isFailing = false
      return .later(reason: "no route")
    }
    try await InboxLoop(
      source: ScriptedSource([Self.failing(), Self.failing(), healing]), inbox: fixture.inbox(), waits: waits,
      random: { 0 }
    ).run()
    #expect(waits.seconds == [1, 5, 30])
    // Errors of the store itself are reported elsewhere; what could not be kept is reported once it can.
    #expect(fixture.messages == ["no route", "it is over"].map { "sink 'phone' receives no answers: \($0)" })
    #expect(try fixture.kept()?.problem == "it is over")
  }

  @Test(
    "a problem that only the user can end is kept as such",
    arguments: [
      (ReceiveOutcome.later(reason: "HTTP 401", needsAttention: true), true), (.later(reason: "no route"), false),
      (.never(reason: "no topic"), true),
    ])
  func attention(outcome: ReceiveOutcome, needsAttention: Bool) async throws {
    try await loop(isWaiting: false, [{ _ in outcome }]).runOnce()
    #expect(try problem() != nil && fixture.kept()?.needsAttention == needsAttention)
    try fixture.inbox().connected()
    #expect(try problem() == nil && fixture.kept()?.needsAttention == false)
  }

  @Test("what the inbox throws is a failure like any other")
  func thrown() async throws {
    let fixture = fixture
    let reply = try fixture.reply(.check)
    let unreadable: ScriptedSource.Connection = { inbox in
      fixture.keys.areReadable = false
      _ = try inbox.take([reply])
      return .ended
    }
    try await loop([unreadable]).run()
    #expect(waits.seconds == [1])
    #expect(fixture.messages.first?.contains("the keys that sign buttons cannot be read") == true)
  }

  @Test("each connection begins at the position that is kept")
  func position() async throws {
    let fixture = fixture
    let took: ScriptedSource.Connection = { inbox in
      _ = try? inbox.take([try fixture.reply(.check)], position: "1")
      try? inbox.skip(to: "2")
      return .ended
    }
    let found: ScriptedSource.Connection = { inbox in
      #expect(inbox.position == "1")
      return .ended
    }
    try await loop([took, found]).run()
    #expect(try fixture.answers.answers().count == 1)
  }

  @Test("a cancelled loop ends, whether it receives or waits", arguments: [true, false])
  func cancelled(isReceiving: Bool) async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let hanging = HangingWaits { begin.yield() }
    let connection: ScriptedSource.Connection = { _ in
      if isReceiving { await hanging.until(.distantFuture) }
      return .later(reason: "no route")
    }
    let loop = try loop([connection], waits: hanging)
    let task = Task { await loop.run() }
    var beginnings = begun.makeAsyncIterator()
    await beginnings.next()
    task.cancel()
    await task.value
    // A cancellation is no failure.
    #expect(try (problem() == nil) == isReceiving)
  }

  @Test("the inboxes of a config take up what is there, on threads of their own, and say when they are done")
  func takeUp() async throws {
    let fixture = fixture
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let sinks = try (1...3).map { item in
      let reply = try fixture.reply(.check, Int64(item))
      let source = ScriptedSource(
        isWaiting: false,
        [
          { inbox in
            _ = try? inbox.take([reply], position: "1")
            return .ended
          }
        ])
      return ActiveSink(name: "sink \(item)", sink: ReplyingSink(source), links: fixture.keys)
    }
    let inboxes = Inboxes(waits: HangingWaits {}, random: { 0 }, log: fixture.log.append, changed: {})
    inboxes.takeUp(
      fixture.answers.engine.belfry, sinks: sinks + [ActiveSink(name: "other", sink: RecordingSink())], within: 5,
      ended: { end.yield() })
    var done = ends.makeAsyncIterator()
    while inboxes.isTakingUp { await done.next() }
    #expect(try fixture.answers.items().allSatisfy { $0.hasSuffix("checked") })
    #expect(fixture.messages == [])
    inboxes.close()
  }

  @Test("a sink that hangs is waited for as long as was said, and ends when the inboxes close")
  func hanging() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (closed, close) = AsyncStream.makeStream(of: Void.self)
    let hanging = HangingWaits { begin.yield() }
    let connection: ScriptedSource.Connection = { _ in
      await hanging.until(.distantFuture)
      close.yield()
      return .ended
    }
    let start = fixture.time.now
    let inboxes = Inboxes(waits: waits, random: { 0 }, log: fixture.log.append, changed: {})
    inboxes.takeUp(
      fixture.answers.engine.belfry,
      sinks: [ActiveSink(name: "phone", sink: ReplyingSink(ScriptedSource(isWaiting: false, [connection])))], within: 5,
      ended: { end.yield() })
    var (isBegun, isOver, isClosed) = (
      begun.makeAsyncIterator(), ends.makeAsyncIterator(), closed.makeAsyncIterator()
    )
    await isBegun.next()
    await isOver.next()
    #expect(!inboxes.isTakingUp && fixture.time.now == start + 5)
    inboxes.close()
    await isClosed.next()
    #expect(fixture.messages == [])
  }

  @Test("where no sink receives answers, nothing is waited for")
  func none() {
    let inboxes = Inboxes(waits: waits, random: { 0 }, log: fixture.log.append, changed: {})
    inboxes.takeUp(
      fixture.answers.engine.belfry, sinks: [ActiveSink(name: "other", sink: RecordingSink())], within: 5,
      ended: { Issue.record("something ended") })
    #expect(!inboxes.isTakingUp && waits.seconds == [])
  }

  @Test("opening the inboxes of another config ends the connections of the one before; closing ends all")
  func reopened() async throws {
    let (news, tell) = AsyncStream.makeStream(of: String.self)
    let hanging = HangingWaits {}
    func sink(_ name: String) -> ActiveSink {
      let connection: ScriptedSource.Connection = { _ in
        tell.yield("\(name) begins")
        await hanging.until(.distantFuture)
        tell.yield("\(name) ends")
        return .ended
      }
      return ActiveSink(name: name, sink: ReplyingSink(ScriptedSource([connection])))
    }
    let inboxes = Inboxes(waits: hanging, random: { 0 }, log: fixture.log.append, changed: {})
    var heard = news.makeAsyncIterator()
    inboxes.open(fixture.answers.engine.belfry, sinks: [sink("one")])
    #expect(await heard.next() == "one begins")
    inboxes.open(fixture.answers.engine.belfry, sinks: [sink("two")])
    let both = [await heard.next(), await heard.next()].compactMap(\.self)
    #expect(Set(both) == ["one ends", "two begins"])
    inboxes.close()
    #expect(await heard.next() == "two ends")
  }
}

/// Waits that only a cancellation ends.
private struct HangingWaits: TaskWaits {
  let begun: @Sendable () -> Void

  func until(_ instant: Date) async {
    begun()
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    withExtendedLifetime(continuation) {}
  }

  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async { await until(.distantFuture) }
}
