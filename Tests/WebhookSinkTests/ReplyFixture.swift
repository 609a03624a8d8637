import BelfryModel
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MemoryStore
import OrderedJSON
import Synchronization
import Transport

@testable import BelfryEngine
@testable import WebhookSink

/// Items that have rung through ntfy in UTC, and the answers to them.
final class ReplyFixture: Sendable {
  static let topic = "https://ntfy.example.org/answers"

  let transport: RecordingHTTPTransport
  let time = ManualTimeSource()
  let store = MemoryStore()
  let sink: ActiveSink
  private let recorded = Mutex<[String]>([])
  private let alert: AlertStyle

  init(
    _ texts: [String] = ["Milk"], alert: AlertStyle = AlertStyle(),
    over transport: RecordingHTTPTransport = RecordingHTTPTransport { _ in
      .success(HTTPResponse(status: 200, body: Array(#"{"id":"xE73Iyuabi","event":"message"}"#.utf8)))
    }, _ change: (inout WebhookEndpoint) -> Void = { _ in }
  ) async throws {
    (self.alert, self.transport) = (alert, transport)
    sink = ActiveSink(
      name: "phone",
      sink: try Hooking.sink(
        transport, url: "https://ntfy.example.org/bells",
        { endpoint in
          endpoint.format = .ntfy
          endpoint.replyTopic = SecretSource(Secret(Self.topic))
          endpoint.authentication = .bearer(SecretSource(Secret("tk_hidden")))
          change(&endpoint)
        }), links: NumberedButtons())
    let due = Zone.utc.wallTime(at: time.now + 60)
    _ = try belfry.add(
      texts.map { ItemDraft(text: $0, due: due, shouldRemind: true) }, to: ListChoice("Inbox", createsMissing: true))
    time.advance(by: 60)
    try await tick()
  }

  /// Delivers what is due.
  func tick() async throws { try await TestDaemon(belfry, sinks: [sink]).tick() }

  var belfry: Belfry {
    var settings = Settings()
    settings.timeZone = .named("UTC")
    settings.alert = alert
    return Belfry(store: store, settings: settings, time: time, zones: Hooking.zones)
  }

  /// The lines of the log that are warnings or news about answers.
  var log: [String] { recorded.withLock { $0 } }

  /// The token of a button of the message about the item in this place.
  func token(_ button: String, of place: Int = 0) throws -> String {
    let body = try Hooking.json(transport.requests.filter { $0.method == "POST" }[place])
    let action = try Check.present(body["actions"]?.arrayValue?.first { $0["label"]?.stringValue == button }, button)
    return try Check.present(action["body"]?.stringValue, "its token")
  }

  /// A source and its inbox, as a daemon has them that starts now.
  func inbox() throws -> (source: any ReplySource, inbox: Inbox) {
    let source = try Check.present(sink.sink.replySource, "the source of replies")
    let inbox = Inbox(
      sink, over: source.channel, by: ReplyAuthors(belfry.settings, sinks: [sink]), belfry: belfry, waits: NoWaits(),
      log: { [self] event in recorded.withLock { $0.append(event.message) } }, changed: {})
    try inbox.load()
    return (source, inbox)
  }

  /// Receives over one connection, with these streams, and returns its end.
  @discardableResult
  func receive(_ streams: ScriptedStream..., waits: Bool = true) async throws -> ReceiveOutcome {
    transport.script(streams)
    let (source, inbox) = try inbox()
    return try await source.receive(inbox, waits: waits)
  }

  /// The answers that the store keeps, oldest first.
  func answers() throws -> [Answer] {
    var answers: [Answer] = []
    try store.read { try $0.forEachAnswer(limit: nil) { answers.append($0) } }
    return answers.reversed()
  }

  /// The position that the store keeps.
  func position() throws -> String? { try store.read { try $0.inbox(ofSink: "phone") }?.position }

  /// The requests to the topic of replies, from `?` on.
  var queries: [String] {
    transport.requests.filter { $0.method == "GET" }.map { String($0.url.dropFirst("\(Self.topic)/json?".count)) }
  }
}

struct Unexpected: Error {
  let what: String

  init(_ what: String) { self.what = what }
}

/// The lines that ntfy sends.
enum NtfyLine {
  static let open = #"{"id":"openopenopen","time":1795248060,"event":"open","topic":"answers"}"#
  static let keepalive = #"{"id":"keepkeepkeep","time":1795248105,"event":"keepalive","topic":"answers"}"#

  static func message(_ id: String, _ text: String) -> String {
    let text = JSONValue.string(text).serialized()
    return
      #"{"id":"\#(id)","time":1795248061,"expires":1795291261,"event":"message","topic":"answers","message":\#(text)}"#
  }
}

/// Waits for which nobody waits.
private struct NoWaits: TaskWaits {
  func until(_ instant: Date) async {}
  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {}
}

/// Tokens that say their purpose in plain text.
private struct NumberedButtons: AnswerLinks {
  func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens? {
    MessageTokens(key: 0, expiry: 1_000_000)
  }

  func links(of message: Message) -> [ReminderLinks] { [] }

  func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]] {
    message.contents.map { content in content.actions.indices.map { "\(content.reminderID.text)_\($0 + 1)" } }
  }

  func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press {
    let parts = token.split(separator: "_")
    guard parts.count == 2, let reminder = UUID(uuidString: String(parts[0])), let number = Int(parts[1]) else {
      throw token == "expired" ? .expired : .unknown
    }
    return Press(reminder: reminder, choice: .number(number), channel: channel, externalID: token)
  }
}
