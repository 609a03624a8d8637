import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import MessageText
import OrderedJSON
import Testing
import Transport

@testable import WebhookSink

@Suite("Links in a webhook")
struct WebhookLinkTests {
  private static let hook = "https://chat.example.org/bells"
  private static let chats = WebhookFormat.allCases.filter { $0.dialect != nil }

  /// An attempt whose reminder offers five actions, of which a token carries out two.
  private func attempt(_ text: String = "Buy milk", publicURL: String = "https://belfry.example.org") throws
    -> DeliveryAttempt
  {
    let actions = [
      OfferedAction(identifier: "delete", title: "Delete", operation: .delete),
      OfferedAction(identifier: "done", title: "Done", operation: .check),
      OfferedAction(identifier: "safe", title: "Safe", requiresAuthentication: true, operation: .check),
      OfferedAction(
        identifier: "later", title: String(repeating: "Later ", count: 20),
        operation: .snooze(ActionOperation.usualSnooze)),
      OfferedAction(identifier: "edit", title: "Edit", operation: .edit),
    ]
    let message = try message(actions, text)
    return DeliveryAttempt(
      deliveryID: 1, message: message, recipient: nil, startedAt: Sample.now, lateSeconds: 0,
      links: Sample.links(of: message, at: publicURL))
  }

  private func message(_ actions: [OfferedAction], _ text: String = "Buy milk") throws -> Message {
    let plain = try Sample.message(text: text)
    let content = try #require(plain.contents.first)
    return Message(
      id: plain.id, sink: plain.sink,
      contents: [
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
          category: nil, actions: actions, timeZone: "UTC")
      ], createdAt: plain.createdAt)
  }

  /// The text of a message without links.
  private func text(_ message: Message, _ format: WebhookFormat) async throws -> String {
    let body = try Hooking.json(try await request(Sample.attempt(message), format))
    return try #require((body["text"] ?? body["content"] ?? body["message"] ?? body["body"])?.stringValue)
  }

  private func request(_ attempt: DeliveryAttempt, _ format: WebhookFormat, url: String = hook) async throws
    -> HTTPRequest
  {
    try await Hooking.request(attempt, url: url) { $0.format = format }
  }

  @Test("standard: the answer's URL, and a token with each action that it carries out")
  func standard() async throws {
    let attempt = try attempt()
    let data = try #require(try Hooking.json(try await request(attempt, .standard))["data"])
    #expect(data["answer_url"]?.stringValue == attempt.links[0].answerURL)
    let tokens = try #require(data["actions"]?.arrayValue).map { $0["token"]?.stringValue }
    #expect(tokens == attempt.links[0].actions.map(\.token))
    #expect(tokens.map { $0 != nil } == [false, true, false, true, false])
  }

  @Test("slack: a line with the link as Slack marks one, without a preview")
  func slack() async throws {
    let attempt = try attempt("a & b <https://evil.example.org>")
    let body = try Hooking.json(try await request(attempt, .slack))
    let text = try #require(body["text"]?.stringValue)
    #expect(text.hasPrefix("a &amp; b &lt;https://evil.example.org&gt;\n"))
    #expect(text.hasSuffix("\nAnswer: <\(attempt.links[0].answerURL)>"))
    #expect(body["unfurl_links"] == false && body["blocks"] == nil)
  }

  @Test("discord: a link in the text, and link buttons for what a token carries out or only opens")
  func discord() async throws {
    let attempt = try attempt()
    let request = try await request(attempt, .discord, url: "\(Self.hook)?wait=true")
    #expect(request.url == "\(Self.hook)?wait=true&with_components=true")
    let body = try Hooking.json(request)
    #expect(body["content"]?.stringValue?.hasSuffix("\nAnswer: <\(attempt.links[0].answerURL)>") == true)
    let row = try #require(body["components"]?.arrayValue?.first)
    let buttons = try #require(row["components"]?.arrayValue)
    #expect(row["type"] == 1 && buttons.allSatisfy { $0["type"] == 2 && $0["style"] == 5 })
    #expect(buttons.map { $0["url"]?.stringValue } == [1, 3, 4].map { attempt.links[0].actions[$0].url })
    #expect(buttons.allSatisfy { ($0["label"]?.stringValue ?? "").utf16.count <= 80 })
  }

  @Test(
    "discord: no buttons to a host that Discord refuses, for which it would refuse the message",
    arguments: ["http://localhost:8787", "https://belfry", "https://192.168.1.5", "https://[2001:db8::1]"])
  func discordWithoutButtons(publicURL: String) async throws {
    let request = try await request(attempt(publicURL: publicURL), .discord)
    let body = try Hooking.json(request)
    #expect(request.url == Self.hook && body["components"] == nil)
    #expect(body["content"]?.stringValue?.contains("Answer: <\(publicURL)/a/") == true)
  }

  @Test("ntfy: a click opens the page, and at most three buttons lead to it, none to what destroys or needs a sign-in")
  func ntfy() async throws {
    let attempt = try attempt()
    let body = try Hooking.json(try await request(attempt, .ntfy))
    #expect(body["click"]?.stringValue == attempt.links[0].answerURL)
    let buttons = try #require(body["actions"]?.arrayValue)
    #expect(buttons.allSatisfy { $0["action"] == "view" })
    #expect(buttons.map { $0["url"]?.stringValue } == [1, 3, 4].map { attempt.links[0].actions[$0].url })
    #expect(body["message"]?.stringValue?.contains("/a/") == false)
  }

  @Test("without links a message has no parts for them", arguments: chats)
  func without(format: WebhookFormat) async throws {
    let request = try await request(Sample.attempt(try Sample.message()), format)
    let keys = try #require(try Hooking.json(request).objectValue?.keys)
    #expect(Set(keys).isDisjoint(with: ["click", "actions", "components", "unfurl_links", "blocks"]), "\(keys)")
    #expect(!request.url.contains("with_components"))
  }

  @Test("without links the text ends with the command of each action, however long it is", arguments: chats)
  func commands(format: WebhookFormat) async throws {
    let limit = try #require(format.dialect?.longestText)
    for length in [8, 40_000] {
      let message = try Sample.message(text: String(repeating: "&", count: length))
      let text = try await text(message, format)
      let reminder = message.contents[0].reminderID.text
      #expect(text.hasSuffix("\nDone: belfry act \(reminder) done\nLater: belfry act \(reminder) later"), "\(text)")
      #expect(text.hasPrefix("&") && text.utf8.count <= limit + "…".utf8.count, "\(text.utf8.count)")
    }
  }

  @Test("where there is nothing to answer, no command is named", arguments: chats)
  func noCommands(format: WebhookFormat) async throws {
    let message = try Sample.message()
    let failure = DeliveryFailure(sink: "mail", recipient: nil, reason: "535 wrong", isFinal: true)
    let contents = [
      ReminderContent(test: message.contents[0]), ReminderContent(message.contents[0], failure: failure),
      Sample.update(of: message, to: .answered).contents[0],
    ]
    for content in contents {
      let message = Message(id: message.id, sink: "sink", contents: [content], createdAt: Sample.now)
      let text = try await text(message, format)
      #expect(text.contains("Buy milk") && !text.contains("belfry"), "\(text)")
    }
  }

  @Test("a command is escaped as the text is, and one that is too long is left out")
  func hostileCommands() async throws {
    let titles = ["a <b>\nc", String(repeating: "y", count: 30_000), "d"]
    let actions = titles.map { title in
      OfferedAction(identifier: "\(title.first ?? "-") & co", title: title, operation: .acknowledge)
    }
    let message = try message(actions)
    let reminder = message.contents[0].reminderID.text
    let text = try await text(message, .slack)
    let named = [("a &lt;b&gt; c", "a"), ("d", "d")].map { "\n\($0): belfry act \(reminder) '\($1) &amp; co'" }
    #expect(text.hasSuffix("now" + named.joined()), "\(text)")
  }

  @Test("no cut goes through a link, however long the text is", arguments: [WebhookFormat.slack, .discord])
  func cut(format: WebhookFormat) async throws {
    let limit = format == .slack ? 40_000 : 2_000
    for length in Array((limit - 400)...(limit + 20)) where length % 7 == 0 || length > limit - 250 {
      let attempt = try attempt(String(repeating: "x", count: length))
      let body = try Hooking.json(try await request(attempt, format))
      let text = try #require((body["text"] ?? body["content"])?.stringValue)
      #expect(text.utf16.count <= limit)
      #expect(text.hasSuffix("\nAnswer: <\(attempt.links[0].answerURL)>"), "\(length)")
    }
  }

  @Test("of several reminders each has its link, as far as they fit")
  func several() {
    let words = (1...40).compactMap { number -> ReminderWords? in
      guard let message = try? Sample.message(text: "number \(number).", itemID: Int64(number)) else { return nil }
      return ReminderWords.all(Sample.attempt(message).linked, zones: Hooking.zones).first
    }
    let text = ChatText(limit: 2_000, cost: { $0.utf16.count }).text(words)
    #expect(text.utf16.count <= 2_000)
    let links = text.matches(of: #/Answer: <(.*)>/#).map { String($0.output.1) }
    #expect(links.count > 5 && links == words.prefix(links.count).compactMap { $0.links?.answerURL })
  }
}
