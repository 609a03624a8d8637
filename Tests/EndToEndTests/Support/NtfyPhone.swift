import Foundation
import TestSupport
import Testing

/// A phone that shows what rings through a server of ntfy, and presses its buttons.
struct NtfyPhone {
  static let messages = "bells"
  static let replies = "answers"

  let server: NtfyServer

  init(_ server: NtfyServer) { self.server = server }

  /// The sink of a config.
  func sink(_ more: String = "") -> String {
    "phone: { type: webhook, format: ntfy, url: \"\(server.url)/\(Self.messages)\", "
      + "reply_topic: \"\(server.url)/\(Self.replies)\"\(more) }"
  }

  /// Waits for the first message about each of these items.
  func rung(_ texts: [String]) async throws -> [NtfyServer.Message] {
    var sent: [NtfyServer.Message] = []
    try await waitUntil("\(texts.count) items rang; the server says: \(server.log)") {
      sent = try server.sent(to: Self.messages)
      return Set(texts).isSubset(of: sent.map(\.itemText))
    }
    return texts.compactMap { text in sent.first { $0.itemText == text } }
  }

  /// Waits until the daemon follows the topic of replies.
  func isFollowed() async throws {
    try await waitUntil("the replies are followed; the server says: \(server.log)") {
      try server.streams().contains(Self.replies)
    }
  }

  /// Presses a button of a message, which the server must take.
  func press(_ button: String, of message: NtfyServer.Message) async throws {
    #expect(try await server.press(message: message, button: button) == 200)
  }
}

extension NtfyServer.Message {
  /// The text of the item, which is on the first line.
  var itemText: String { message.map { String($0.prefix { $0 != "\n" }) } ?? "" }

  /// The labels of its buttons.
  var labels: [String] { (actions ?? []).map(\.label) }

  /// The token that a button posts.
  func token(_ button: String) throws -> String { try #require(actions?.first { $0.label == button }?.body) }
}

extension Sandbox {
  /// Waits until this many answers are kept, and returns them, oldest first.
  func answers(_ count: Int, _ daemon: RunningDaemon? = nil) async throws -> [JSON] {
    var answers: [JSON] = []
    try await waitUntil("\(count) answers are kept; log: \(daemon?.log ?? "")") {
      answers = try #require(try await json("answers").elements)
      return answers.count >= count
    }
    return answers.reversed()
  }

  /// The answers over the sink `phone`, as `belfry sinks` tells of them.
  func wayBack() async throws -> JSON {
    try #require(try await json("sinks").elements?.first { $0["name"] == .text("phone") }?["answers"])
  }
}
