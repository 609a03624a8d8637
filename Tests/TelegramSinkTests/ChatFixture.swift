import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MemoryStore
import OrderedJSON
import Synchronization
import Testing
import Transport

@testable import BelfryEngine
@testable import BelfryModel
@testable import TelegramSink

/// A chat with a bot, over a store in memory, at 09:00 in Zurich on 2026-11-21 unless a test changes that.
final class ChatFixture {
  /// Tokens that name a reminder and an action.
  private struct Tokens: AnswerLinks {
    func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens? {
      MessageTokens(key: 1, expiry: 60_000)
    }

    func links(of message: Message) -> [ReminderLinks] { [] }

    func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]] {
      message.contents.map { content in content.actions.indices.map { "\(content.reminderID.text).\($0 + 1)" } }
    }

    func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press {
      if token == "expired" { throw .expired }
      let parts = token.split(separator: ".")
      guard parts.count == 2, let reminder = UUID(uuidString: String(parts[0])), let number = Int(parts[1]) else {
        throw .unknown
      }
      return Press(reminder: reminder, choice: .number(number), channel: channel, externalID: token)
    }
  }

  private struct NoWaits: TaskWaits {
    func until(_ instant: Date) async {}
    func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {}
  }

  private final class Log: Sendable {
    let events = Mutex<[Event]>([])
  }

  /// Batches of updates, one for each poll.
  private final class Updates: Sendable {
    let batches = Mutex<[[JSONValue]]>([])
  }

  let time: ManualTimeSource
  let belfry: Belfry
  let api: ScriptedBotAPI
  private let updates = Updates()
  private let active: ActiveSink
  private let replies: TelegramReplies
  private let authors: ReplyAuthors
  private let log = Log()

  /// A fixture whose server has no updates yet. Without any, polls are answered by `reply`, like all other calls.
  ///
  /// - Parameter people: the numbers of people, each with a chat of their own beside this one.
  init(
    commands: Bool = false, chat: TelegramChat = .number(Telling.chat), token: SecretSource? = nil,
    people: [String: Int64] = [:], time: ManualTimeSource = ManualTimeSource(),
    reply: @escaping ScriptedBotAPI.Reply = { call, earlier throws(TransferFailure) in .usual(call, earlier) }
  ) {
    api = ScriptedBotAPI { [updates] call, earlier throws(TransferFailure) in
      let isPoll = call.method == "getUpdates"
      if isPoll, let batch = updates.batches.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        return .result(.array(batch))
      }
      return try reply(call, earlier)
    }
    var settings = Telling.settings(chat)
    settings.takesCommands = commands
    if let token { settings.token = token }
    self.time = time
    let transports = Transports(http: api, mail: Transports.none.mail)
    active = ActiveSink(
      name: "phone", sink: TelegramSink(settings, transports: transports, zones: Telling.zones), links: Tokens())
    replies = TelegramReplies(settings, transports: transports)
    let chats = people.map { name, number in
      ActiveSink(
        name: "\(name)-chat",
        sink: TelegramSink(Telling.settings(.number(number)), transports: transports, zones: Telling.zones))
    }
    var rules = Settings()
    rules.people = people.keys.map { Person(name: $0, sinks: ["\($0)-chat"]) }
    authors = ReplyAuthors(rules, sinks: chats + [active])
    rules.timeZone = .named("Europe/Zurich")
    belfry = Belfry(store: MemoryStore(), settings: rules, time: time, zones: Telling.zones)
  }

  var events: [String] { log.events.withLock { $0.map(\.message) } }

  var items: [Item] {
    get throws { try belfry.store.read { try $0.items() }.sorted { $0.id < $1.id } }
  }

  /// The answers to an item's reminders.
  func answers(of item: Int64 = 1) throws -> [Answer] { try belfry.store.read { try $0.answers(of: .item(item)) } }

  /// The position that the store keeps.
  var position: String? {
    get throws { try belfry.store.read { try $0.inbox(ofSink: "phone")?.position } }
  }

  /// Has the next polls get these updates, then none.
  func send(_ batches: [JSONValue]...) { updates.batches.withLock { $0 += batches } }

  /// Adds items, and rings them a minute later. Returns the tokens of their actions, by item.
  func ring(_ texts: String...) async throws -> [[String]] {
    let due = try belfry.configuredZone().wallTime(at: time.now).adding(days: 0, minutes: 1)
    let drafts = texts.map { ItemDraft(text: $0, due: due, shouldRemind: true) }
    _ = try belfry.add(drafts, to: ListChoice("Groceries", createsMissing: true))
    time.advance(by: 60)
    try await deliver()
    let tokens = api.calls(of: "sendMessage").suffix(texts.count).map { parameters in
      let rows = parameters["reply_markup"]?["inline_keyboard"]?.arrayValue ?? []
      return rows.flatMap { $0.arrayValue ?? [] }.compactMap { $0["callback_data"]?.stringValue }
    }
    try #require(tokens.map(\.count) == texts.map { _ in 2 }, "\(tokens)")
    return tokens
  }

  func deliver() async throws { try await TestDaemon(belfry, sinks: [active]).tick() }

  /// Receives until the connection ends, as a program does that was just started.
  func receive(waits: Bool = true) async throws -> ReceiveOutcome {
    let inbox = Inbox(
      active, over: replies.channel, by: authors, belfry: belfry, waits: NoWaits(),
      log: { [log] event in log.events.withLock { $0.append(event) } }, changed: {})
    try inbox.load()
    return try await replies.receive(inbox, waits: waits)
  }
}

/// Updates as the Bot API sends them.
enum Sent {
  /// A press of a button.
  static func press(_ data: String, id: Int64, chat: Int64 = Telling.chat) -> JSONValue {
    [
      "update_id": .integer(id),
      "callback_query": [
        "id": .string("query \(id)"), "from": ["id": .integer(chat), "is_bot": false, "first_name": "Anna"],
        "message": ["message_id": 41, "date": 1_795_248_000, "chat": ["id": .integer(chat), "type": "private"]],
        "chat_instance": "5", "data": .string(data),
      ],
    ]
  }

  /// A text, written a number of seconds after the start of the test.
  static func text(
    _ text: String, id: Int64, chat: Int64 = Telling.chat, type: String = "private", after seconds: Int64 = 0
  ) -> JSONValue {
    [
      "update_id": .integer(id),
      "message": [
        "message_id": .integer(id), "date": .integer(1_795_248_000 + seconds),
        "from": ["id": .integer(chat), "is_bot": false, "first_name": "Anna"],
        "chat": ["id": .integer(chat), "type": .string(type)], "text": .string(text),
      ],
    ]
  }
}
