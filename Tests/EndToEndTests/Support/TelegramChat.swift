import Foundation
import Testing
import TestSupport

/// A chat with a bot, in which the items of a sandbox ring.
struct TelegramChat {
  static let person: Int64 = 1_001

  let server: TelegramServer
  let box: Sandbox

  /// - Parameter more: further keys of the sink: `, commands: true`.
  init(more: String = "", chats: [Int64] = [person]) throws {
    server = try TelegramServer(chats: chats)
    box = try Sandbox(sinks: [
      "phone: { type: telegram, token_file: bot-token, chat_id: \(Self.person), api_url: \"\(server.url)\"\(more) }"
    ])
    try box.write(TelegramServer.token + "\n", to: "bot-token")
  }

  /// Adds items that are due at nine.
  func add(_ texts: [String]) async throws {
    let lines = Data(texts.map { "\($0)\n" }.joined().utf8)
    try await box.belfry("add", "-", "--due", "09:00", options: RunOptions(input: lines, clock: "2026-11-21 08:00:00"))
      .requireDone()
  }

  /// Adds items, and starts a daemon that rings them.
  func ring(_ texts: String...) async throws -> RunningDaemon {
    try await add(texts)
    return try await ring(texts.count)
  }

  /// Starts a daemon that rings what is due at nine.
  func ring(_ count: Int) async throws -> RunningDaemon {
    let daemon = try await box.daemon(at: "2026-11-21 09:00:02")
    try await waitUntil("the chat has \(count) messages; log: \(daemon.log)") { try server.sent().count == count }
    try await waitUntil("their numbers are kept; log: \(daemon.log)") {
      try await box.json("deliveries", "--state", "delivered").elements?.count == count
    }
    return daemon
  }

  /// Waits until these items, and no others, are checked.
  func waitForChecked(_ items: Set<Int64>, _ daemon: RunningDaemon) async throws {
    try await waitUntil("\(items.count) items are checked; log: \(daemon.log)") {
      let shown = try await box.json("show", "--checked").elements ?? []
      return Set(shown.compactMap { $0["id"]?.integer }) == items
    }
  }

  /// Waits until the bot's message about a text has further words and no buttons.
  func waitForEdit(_ text: String, _ words: String, _ daemon: RunningDaemon) async throws {
    try await waitUntil("'\(text)' says '\(words)': \((try? server.sent().map(\.text)) ?? []); log: \(daemon.log)") {
      try server.sent().contains { $0.text.hasPrefix("\(text)\n\(words)") && $0.isEdited && $0.buttons.isEmpty }
    }
  }

  /// The bot's message about a text.
  func message(_ text: String) throws -> TelegramServer.Message {
    try #require(try server.sent().first { $0.text.hasPrefix("\(text)\n") })
  }

  /// The effects of all answers, newest first.
  func effects() async throws -> [String] {
    try #require(try await box.json("answers", "-n", "1000").elements).compactMap { $0["effect"]?.text }
  }
}
