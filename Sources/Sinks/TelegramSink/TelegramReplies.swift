import BelfryEngine
import BelfryModel
import FoundationEssentials
import MessageText
import OrderedJSON
import Transport

/// The replies from chats: presses of buttons, and with `commands` in the config, commands and items.
///
/// Updates are fetched by a long poll. Each is taken before the next poll confirms it to the server.
struct TelegramReplies: ReplySource {
  /// The seconds for which the server may wait for an update; it waits no longer than 50.
  private static let wait = 50.0
  /// The most updates at once, so that the longest still fit into one response.
  private static let mostUpdates: Int64 = 20
  /// A server that replies sooner without updates does not wait, so polls would follow each other without a pause.
  private static let leastWait = 5.0

  private let settings: TelegramSettings
  private let transports: Transports

  /// The replies from the chat of these settings.
  init(_ settings: TelegramSettings, transports: Transports) {
    (self.settings, self.transports) = (settings, transports)
  }

  let channel = Answer.Channel("telegram", words: "Telegram")

  func receive(_ inbox: Inbox, waits: Bool) async throws -> ReceiveOutcome {
    let bot: BotAccess
    do throws(BelfryError) {
      bot = try BotAccess(settings, transports)
    } catch {
      return ReceiveOutcome(DeliveryOutcome(unreadableSecret: error))
    }
    var last = inbox.validPosition
    // The first poll does not wait, so that a connection that works is known at once.
    var isFirst = true
    while !Task.isCancelled {
      let start = inbox.now
      let isLong = waits && !isFirst
      let updates: [JSONValue]
      do throws(TransferFailure) {
        let reply = try await poll(bot, after: last, waits: isLong)
        guard let result = reply.result?.arrayValue else {
          return ReceiveOutcome(bot.redaction.outcome(reply.pollRefusal(now: inbox.now)))
        }
        updates = result
      } catch {
        return ReceiveOutcome(bot.redaction.outcome(of: error))
      }
      try inbox.connected()
      let taken = try await take(updates, after: last, inbox, bot) ?? last
      let hasWaited = isLong && !(0..<Self.leastWait ~= inbox.now.timeIntervalSince(start))
      guard taken?.id != last?.id || hasWaited || waits && isFirst else { return .ended }
      (last, isFirst) = (taken, false)
    }
    return .ended
  }

  private func poll(
    _ bot: BotAccess, after position: UpdatePosition?, waits: Bool
  ) async throws(TransferFailure) -> BotReply {
    let seconds = waits ? Self.wait : 0
    let kinds: [JSONValue] = ["callback_query"] + (settings.takesCommands ? ["message"] : [])
    var parameters: JSONObject = [
      "timeout": .integer(Int64(seconds)), "limit": .integer(Self.mostUpdates), "allowed_updates": .array(kinds),
    ]
    if let position { parameters["offset"] = .integer(position.id + 1) }
    return try await bot.poll("getUpdates", parameters, waiting: seconds)
  }

  /// Takes the updates of one poll. Returns the place of the last one; `nil` for none.
  private func take(
    _ values: [JSONValue], after last: UpdatePosition?, _ inbox: Inbox, _ bot: BotAccess
  ) async throws -> UpdatePosition? {
    let updates = updates(values, after: last, inbox)
    var rest = updates[...]
    while let first = rest.first {
      let presses = rest.prefix { $0.press != nil }
      try await presses.isEmpty ? take(first, after: last, inbox, bot) : take(Array(presses), inbox, bot)
      rest = rest.dropFirst(max(1, presses.count))
    }
    return updates.last.map { UpdatePosition(id: $0.id, date: inbox.now) }
  }

  /// The updates after a position, in order, each once.
  ///
  /// Only these were requested from the server. If none of them is later, the ids started again; an earlier press then
  /// does no harm, since its token was used.
  private func updates(_ values: [JSONValue], after last: UpdatePosition?, _ inbox: Inbox) -> [Update] {
    let known = values.compactMap { Update($0, in: settings.chat, takesTexts: settings.takesCommands) }
    if known.count < values.count { inbox.reject("an update without an id") }
    let all = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
    let later = all.filter { $0.id > last?.id ?? -1 }
    return later.isEmpty ? all : later
  }

  private func take(_ presses: [Update], _ inbox: Inbox, _ bot: BotAccess) async throws {
    guard let last = presses.last else { return }
    let presses = presses.compactMap(\.press)
    let replies = presses.map { Reply(.token($0.data), sender: $0.user.map(TelegramChat.correspondent)) }
    let results = try inbox.take(replies, position: inbox.position(of: last))
    for result in results where result == .unknown { inbox.reject("a press whose data is not Belfry's") }
    // Each call waits for the server, and only the next poll waits for these calls.
    await withTaskGroup(of: Void.self) { group in
      for (press, result) in zip(presses, results) {
        group.addTask { await answer(press.query, result, bot) }
      }
    }
  }

  // The answer counts, whether or not the person can be notified.
  private func answer(_ query: String, _ result: ReplyResult, _ bot: BotAccess) async {
    _ = try? await bot.call(
      "answerCallbackQuery",
      [
        "callback_query_id": .string(query),
        "text": .string(result.words.capitalizedFirst.bounded(toUTF16: 200)), "show_alert": .bool(!result.isDone),
      ])
  }

  private func take(_ update: Update, after last: UpdatePosition?, _ inbox: Inbox, _ bot: BotAccess) async throws {
    let position = inbox.position(of: update)
    switch update.content {
    case .text(let text, let date):
      // Unlike a press, an item that is added twice exists twice.
      guard last.map({ update.id > $0.id || date > $0.date }) ?? true else {
        return try skip(position, "a message that was already handled", inbox)
      }
      let words = try ChatCommands(inbox).take(text, position: position)
      _ = try? await bot.call(
        "sendMessage",
        [
          "chat_id": settings.chat.json, "text": .string(words.bounded(toUTF16: FormattedText.longest)),
          "link_preview_options": ["is_disabled": true],
        ])
    case .vainPress(let query, let reason):
      try skip(position, reason, inbox)
      // The app waits for a reply. A stranger gets the reply for an unknown button, which reveals nothing.
      await answer(query, .unknown, bot)
    case .other(let reason): try skip(position, reason, inbox)
    case .press: break
    }
  }

  private func skip(_ position: String, _ reason: String?, _ inbox: Inbox) throws {
    if let reason { inbox.reject(reason) }
    try inbox.skip(to: position)
  }
}

extension Inbox {
  /// The place of the last update; `nil` if there is none, or it is too old to mean anything.
  fileprivate var validPosition: UpdatePosition? {
    position.flatMap(UpdatePosition.init).flatMap { $0.isValid(at: now) ? $0 : nil }
  }

  /// The position after an update.
  fileprivate func position(of update: Update) -> String { UpdatePosition(id: update.id, date: now).text }
}

extension ReplyResult {
  /// True if the person sees the effect anyway.
  fileprivate var isDone: Bool {
    if case .answered(let answer) = self { answer.effect == .done } else { false }
  }
}
