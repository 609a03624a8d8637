import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Three items that have rung at a sink, whose buttons carry the reminder and the operation in the clear.
struct InboxFixture {
  let answers: AnswerFixture
  let keys = Keys()
  let log = Recorded<Event>()
  /// One element for each change that the inbox reports.
  let changes = Recorded<Void>()

  init(store: (any ItemStore)? = nil) throws {
    answers = try AnswerFixture(store: store)
    for text in ["Milk", "Bread", "Oats"] { try answers.add(text) }
    try answers.ring("10:00")
  }

  var time: ManualTimeSource { answers.engine.time }

  var messages: [String] { log.all.map(\.message) }

  /// The inbox as a daemon has it that starts now.
  func inbox(_ authors: ReplyAuthors? = nil, waits: any TaskWaits = InstantWaits()) throws -> Inbox {
    let inbox = Inbox(
      ActiveSink(name: "phone", sink: RecordingSink(), links: keys), over: .phone,
      by: authors ?? ReplyAuthors(answers.engine.settings, sinks: []), belfry: answers.engine.belfry, waits: waits,
      log: log.append, changed: { [changes] in changes.append(()) })
    try inbox.load()
    return inbox
  }

  /// The token of an operation on the reminder of an item; the number of a person may follow it.
  func token(_ word: ActionOperation.Word, _ item: Int64 = 1) throws -> String {
    "\(try only(answers.fired(.item(item))).id.text) \(word.rawValue)"
  }

  func reply(_ word: ActionOperation.Word, _ item: Int64 = 1) throws -> Reply { Reply(.token(try token(word, item))) }

  func kept() throws -> SinkInbox? { try answers.engine.store.read { try $0.inbox(ofSink: "phone") } }

  /// Keys that a test can make unreadable.
  final class Keys: AnswerLinks {
    private let readable = Mutex(true)

    var areReadable: Bool {
      get { readable.withLock { $0 } }
      set { readable.withLock { $0 = newValue } }
    }

    func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens? {
      nil
    }
    func links(of message: Message) -> [ReminderLinks] { [] }
    func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]] { [] }

    func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press {
      guard areReadable else { throw .unverifiable }
      guard token != "expired" else { throw .expired }
      let parts = token.split(separator: " ")
      guard parts.count > 1, let reminder = UUID(uuidString: String(parts[0])) else { throw .unknown }
      return Press(
        reminder: reminder, choice: .identifier(String(parts[1])), channel: channel,
        author: .number(parts.count > 2 ? Int64(parts[2]) ?? 0 : 0), externalID: token)
    }
  }
}

/// Values that were recorded on any thread.
final class Recorded<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  @Sendable func append(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Waits that are over at once: the clock moves to their ends.
final class InstantWaits: TaskWaits {
  private let time: ManualTimeSource?
  private let spans = Recorded<Double>()

  init(_ time: ManualTimeSource? = nil) { self.time = time }

  /// The seconds of each wait so far.
  var seconds: [Double] { spans.all }

  func until(_ instant: Date) async {
    guard let time else { return }
    spans.append(instant.timeIntervalSince(time.now))
    time.now = instant
  }

  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {}
}

/// A source whose connections a test describes; after the last one no answer can arrive any more.
final class ScriptedSource: ReplySource {
  typealias Connection = @Sendable (Inbox) async throws -> ReceiveOutcome

  let channel = Answer.Channel.phone
  private let isWaiting: Bool
  private let connections: Recorded<Connection>
  private let count = Recorded<Void>()

  init(isWaiting: Bool = true, _ connections: [Connection]) {
    self.isWaiting = isWaiting
    self.connections = Recorded()
    for connection in connections { self.connections.append(connection) }
  }

  func receive(_ inbox: Inbox, waits: Bool) async throws -> ReceiveOutcome {
    #expect(waits == isWaiting)
    let number = count.all.count
    count.append(())
    let connections = connections.all
    return number < connections.count ? try await connections[number](inbox) : .never(reason: "it is over")
  }
}

/// A sink with a source of answers.
struct ReplyingSink: AnsweredSink {
  let recipients: [String?] = [nil]
  let concurrency = 1
  let replies: (any ReplySource)?

  init(_ replies: any ReplySource) { self.replies = replies }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { .delivered }
}
