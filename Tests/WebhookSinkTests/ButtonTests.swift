import BelfryEngine
import BelfryModel
import BelfryTestKit
import ConfigKeys
import Foundation
import OrderedJSON
import Testing

@testable import WebhookSink

@Suite("Buttons of ntfy that need no page")
struct ButtonTests {
  private static let done = OfferedAction(identifier: "done", title: "Done", operation: .check)
  private static let later = OfferedAction(
    identifier: "later", title: "Later", operation: .snooze(ActionOperation.usualSnooze))
  private static let seen = OfferedAction(identifier: "seen", title: "Seen\nit", operation: .acknowledge)
  private static let noted = OfferedAction(
    identifier: "noted it", title: "Noted", operation: ActionOperation.none, isMinimal: true)
  private static let delete = OfferedAction(identifier: "delete", title: "Delete", operation: .delete)
  private static let edit = OfferedAction(identifier: "edit", title: "Edit", operation: .edit)
  private static let safe = OfferedAction(
    identifier: "safe", title: "Safe", requiresAuthentication: true, operation: .check)

  private func message(_ actions: [OfferedAction]) throws -> Message {
    let plain = try Sample.message()
    let content = try #require(plain.contents.first)
    return Message(
      id: plain.id, sink: plain.sink,
      contents: [
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
          category: nil, actions: actions, timeZone: "UTC")
      ], createdAt: plain.createdAt)
  }

  /// The body of a message whose buttons carry `token 1`, `token 2`, …
  private func body(_ message: Message, hasPage: Bool = false) async throws -> JSONValue {
    let attempt = DeliveryAttempt(
      deliveryID: 1, message: message, recipient: nil, startedAt: Sample.now, lateSeconds: 0,
      links: hasPage ? Sample.links(of: message) : [],
      buttons: message.contents.map { content in
        content.actions.enumerated().map { $1.isCarriedOutByToken ? "token \($0 + 1)" : nil }
      })
    let request = try await Hooking.request(attempt, url: "https://ntfy.example.org/bells") {
      $0.format = .ntfy
      $0.replyTopic = SecretSource(Secret("https://ntfy.example.org/answers"))
      $0.authentication = .bearer(SecretSource(Secret("tk_hidden")))
    }
    return try Hooking.json(request)
  }

  private func labels(_ body: JSONValue) -> [String] {
    (body["actions"]?.arrayValue ?? []).map { button in
      let label = button["label"]?.stringValue ?? ""
      return button["action"] == "http" ? "\(label) \(button["body"]?.stringValue?.last ?? "?")" : "\(label) →"
    }
  }

  /// The last line of the text, where it names a command.
  private func command(_ body: JSONValue) -> String? {
    body["message"]?.stringValue?.split(separator: "\n").last { $0.contains("belfry act") }.map(String.init)
  }

  @Test("a press posts the token to the topic of replies, and dismisses the notification; nobody signs in for it")
  func button() async throws {
    let body = try await body(try message([Self.done]))
    #expect(
      body["actions"]?.serialized()
        == #"[{"action":"http","label":"Done","url":"https://ntfy.example.org/answers","body":"token 1","clear":true}]"#
    )
    #expect(body["topic"] == "bells")
    #expect(!body.serialized().contains("hidden"))
  }

  @Test(
    "there are three at most, those for small displays first; the page has the rest, or else a command is named",
    arguments: [
      ([done, later], ["Done 1", "Later 2"], ["Done 1", "Later 2"], nil),
      ([done, later, seen], ["Done 1", "Later 2", "Seen it 3"], ["Done 1", "Later 2", "Seen it 3"], nil),
      (
        [done, later, seen, noted], ["Noted 4", "Done 1", "Later 2"], ["Noted 4", "Done 1", "More →"], "Seen it: … seen"
      ),
      ([done, later, delete], ["Done 1", "Later 2"], ["Done 1", "Later 2", "More →"], "Delete: … delete"),
      ([safe, delete, done], ["Done 3"], ["Done 3", "More →"], "Delete: … delete"),
      ([safe, delete], [], [], "Delete: … delete"),
      (
        [done, later, seen, delete], ["Done 1", "Later 2", "Seen it 3"], ["Done 1", "Later 2", "More →"],
        "Delete: … delete"
      ),
      ([done, edit], ["Done 1"], ["Done 1", "Edit →"], "Edit: … edit"),
      ([done, edit, delete], ["Done 1"], ["Done 1", "Edit →", "More →"], "Delete: … delete"),
      ([done, later, edit, delete], ["Done 1", "Later 2"], ["Done 1", "Later 2", "More →"], "Delete: … delete"),
      ([edit], [], ["Edit →"], "Edit: … edit"),
      ([], [], [], nil),
    ] as [([OfferedAction], [String], [String], String?)])
  func buttons(actions: [OfferedAction], alone: [String], withPage: [String], command: String?) async throws {
    let message = try message(actions)
    let reminder = try #require(message.contents.first).reminderID.text
    let plain = try await body(message)
    #expect(labels(plain) == alone)
    #expect(self.command(plain) == command?.replacing("…", with: "belfry act \(reminder)"))
    let linked = try await body(message, hasPage: true)
    #expect(labels(linked) == withPage)
    #expect(self.command(linked) == nil)
    #expect(linked["click"]?.stringValue == Sample.links(of: message)[0].answerURL)
    let more = linked["actions"]?.arrayValue?.first { $0["label"] == "More" }
    #expect(more?["url"] == (withPage.contains("More →") ? linked["click"] : nil))
  }

  @Test("a command is quoted for the shell, and no text pushes it out of the message")
  func command() async throws {
    let actions = [Self.done, Self.later, Self.seen, Self.noted].map { action in
      OfferedAction(identifier: action.identifier, title: action.title, operation: action.operation)
    }
    var message = try message(actions)
    let reminder = try #require(message.contents.first).reminderID.text
    #expect(command(try await body(message)) == "Noted: belfry act \(reminder) 'noted it'")
    let content = try #require(message.contents.first)
    let long = ReminderAlert(
      title: "Groceries", body: String(repeating: "x", count: 9_000), action: "", sound: "", badge: 0)
    message = Message(
      id: message.id, sink: message.sink,
      contents: [
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: long, subject: content.subject,
          category: nil, actions: actions, timeZone: "UTC")
      ], createdAt: message.createdAt)
    let body = try await body(message)
    #expect(command(body) == "Noted: belfry act \(reminder) 'noted it'")
    #expect((body["message"]?.stringValue?.utf8.count ?? 0) <= 4_095)
  }

  @Test("an answered message has none, a reopened one has them again, a test names no command")
  func states() async throws {
    let message = try message([Self.done, Self.later, Self.delete])
    let answered = try await body(Sample.update(of: message, to: .answered))
    #expect(answered["actions"] == nil && command(answered) == nil)
    let open = try await body(Sample.update(of: message, to: .open))
    #expect(labels(open) == ["Done 1", "Later 2"] && command(open) != nil)
    let test = Message(
      id: message.id, sink: message.sink, contents: message.contents.map { ReminderContent(test: $0) },
      createdAt: message.createdAt)
    let tested = try await body(test)
    #expect(labels(tested) == ["Done 1", "Later 2"] && command(tested) == nil)
  }

  @Test("while there are no keys, messages have no buttons; without a topic for replies, they lead to the page")
  func without() async throws {
    let message = try message([Self.done])
    for replyTopic in [SecretSource(Secret("https://ntfy.example.org/answers")), nil] {
      let attempt = DeliveryAttempt(
        deliveryID: 1, message: message, recipient: nil, startedAt: Sample.now, lateSeconds: 0,
        links: Sample.links(of: message), buttons: replyTopic == nil ? [["token 1"]] : [])
      let request = try await Hooking.request(attempt, url: "https://ntfy.example.org/bells") {
        $0.format = .ntfy
        $0.replyTopic = replyTopic
      }
      #expect(labels(try Hooking.json(request)) == ["Done →"])
    }
  }
}
