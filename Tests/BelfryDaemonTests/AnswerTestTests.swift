import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore
import Synchronization
import Testing

@testable import BelfryDaemon

@Suite("A test that waits for an answer")
struct AnswerTestTests {
  private let time = ManualTimeSource()
  private let store = MemoryStore()

  private var belfry: Belfry {
    Belfry(store: store, settings: Settings(), time: time, zones: ZoneDatabase(environment: [:]))
  }

  /// Waits for the press of a button of a test, which this source returns or not.
  private func run(isPatient: Bool = true, _ receive: @escaping Source.Receive) async throws -> Answer {
    let source = Source(receive: receive)
    let sink = ActiveSink(name: "phone", sink: Sink(replies: source))
    let message = try SinkTest(belfry: belfry).message(for: sink)
    source.message.withLock { $0 = message }
    let waits = Waits(time: time, isPatient: isPatient)
    return try await AnswerTest(
      belfry: belfry, sink: sink, way: .source(source), authors: ReplyAuthors(belfry.settings, sinks: [sink]),
      message: message, waits: waits, log: { _ in }
    ).answer()
  }

  private func failure(isPatient: Bool = true, _ receive: @escaping Source.Receive) async -> BelfryError? {
    do {
      _ = try await run(isPatient: isPatient, receive)
      return nil
    } catch {
      return error as? BelfryError
    }
  }

  @Test(
    "the first press of one of its buttons is the answer, with words for whom pressed; the source may go on a little")
  func pressed() async throws {
    let wasTold = Mutex(false)
    let answer = try await run { inbox, message in
      let reminder = message.contents[0].reminderID
      let presses = [2, 1].map { Reply(.action($0, of: reminder)) }
      let results = try? inbox.take(presses, position: "7")
      wasTold.withLock { $0 = results?.map(\.words) == ["later", "done"].map { "the test works: '\($0)' came back" } }
      for await _ in AsyncStream<Void>.never {}
      return .ended
    }
    #expect(answer.action == "later" && answer.channel == .phone && answer.date == Sample.now)
    #expect(wasTold.withLock { $0 })
    // It continues from there, and nothing of the test is kept.
    #expect(try store.read { try $0.inbox(ofSink: "phone") }?.position == "7")
    let digest = try store.read(StoreDigest.init)
    #expect(digest.reminders == 0 && digest.messages == 0 && digest.answers == 0)
  }

  @Test("what else comes back meanwhile is answered as the daemon does")
  func others() async throws {
    let due = Zone.utc.wallTime(at: time.now + 60)
    var settings = Settings()
    settings.timeZone = .named("UTC")
    let daemon = Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
    _ = try daemon.add(
      [ItemDraft(text: "Milk", due: due, shouldRemind: true)], to: ListChoice("Inbox", createsMissing: true))
    time.advance(by: 60)
    let recorder = RecordingSink()
    try await TestDaemon(daemon, sinks: [ActiveSink(name: "phone", sink: recorder)]).tick()
    let rung = try #require(recorder.attempts.first?.message.contents.first).reminderID
    let answer = try await run { inbox, message in
      _ = try? inbox.take([
        Reply(.action(1, of: rung)), Reply(.action(9, of: message.contents[0].reminderID)),
        Reply(.action(1, of: message.contents[0].reminderID)),
      ])
      for await _ in AsyncStream<Void>.never {}
      return .ended
    }
    #expect(answer.action == "done")
    #expect(try store.read { try $0.item(id: 1) }?.item.isChecked == true)
  }

  @Test("without a press it ends after a minute")
  func late() async {
    let error = await failure(isPatient: false) { _, _ in
      for await _ in AsyncStream<Void>.never {}
      return .ended
    }
    #expect(error?.kind == .tryAgain && error?.message == "no answer came back within a minute")
    #expect(time.now == Sample.now + AnswerTest.patience)
  }

  @Test(
    "a source that cannot receive says why, and what to do where another program receives",
    arguments: [ReceiveOutcome.later(reason: "HTTP 409: other consumer"), .never(reason: "HTTP 409: other consumer")])
  func refused(outcome: ReceiveOutcome) async {
    let error = await failure { _, _ in outcome }
    #expect(error?.kind == .refused)
    #expect(error?.message == "the sink 'phone' receives no answers: HTTP 409: other consumer")
    #expect(error?.hint?.contains("stop belfryd") == true)
  }

  @Test("a connection that ends is no answer")
  func ended() async {
    let error = await failure { _, _ in .ended }
    #expect(error?.kind == .tryAgain && error?.message.contains("ended before an answer came") == true)
  }
}

extension AsyncStream<Void> {
  /// A stream that only a cancellation ends.
  fileprivate static var never: AsyncStream<Void> { AsyncStream { _ in } }
}

private struct Sink: AnsweredSink {
  let recipients: [String?] = [nil]
  let concurrency = 1
  let replies: (any ReplySource)?

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { .delivered }
}

/// A source that returns what a test says, given the message.
private final class Source: ReplySource {
  typealias Receive = @Sendable (Inbox, Message) async -> ReceiveOutcome

  let channel = Answer.Channel.phone
  let message = Mutex<Message?>(nil)
  private let receive: Receive

  init(receive: @escaping Receive) { self.receive = receive }

  func receive(_ inbox: Inbox, waits: Bool) async -> ReceiveOutcome {
    guard let message = message.withLock({ $0 }) else { return .never(reason: "there is no message") }
    return await receive(inbox, message)
  }
}

/// Waits that end at once and move the clock; those of a minute only if nobody is patient.
private struct Waits: TaskWaits {
  let time: ManualTimeSource
  let isPatient: Bool

  func until(_ instant: Date) async {
    if isPatient, instant.timeIntervalSince(time.now) >= AnswerTest.patience {
      for await _ in AsyncStream<Void>.never {}
    } else if !Task.isCancelled {
      time.now = instant
    }
  }

  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {}
}
