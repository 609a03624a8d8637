import BelfryEngine
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
import Transport

@testable import BelfryModel
@testable import WebhookSink

@Suite("Updates of what was delivered")
struct WebhookUpdateTests {
  private func update(_ state: ReminderUpdate.State) throws -> Message {
    Sample.update(of: try Sample.message(), to: state)
  }

  @Test("Belfry's own format, ntfy, Matrix and Home Assistant take updates, Pushover of what is critical, others none")
  func formats() throws {
    func takers(of urgency: Urgency) throws -> [WebhookFormat] {
      try WebhookFormat.allCases.filter { format in
        try Hooking.sink(RecordingHTTPTransport(), { $0.format = format }).canWithdraw(urgency)
      }
    }
    #expect(try takers(of: .high) == [.standard, .ntfy, .matrix, .homeAssistant])
    #expect(try takers(of: .critical) == [.standard, .ntfy, .pushover, .matrix, .homeAssistant])
  }

  @Test("standard: the body of the reminder, with its state and under an id of its own")
  func standard() async throws {
    let fired = try Sample.message()
    let answered = try await Hooking.request(Sample.attempt(update(.answered)))
    let body = try Hooking.json(answered)
    #expect(body["type"] == "reminder.answered")
    #expect(body["data"]?["reminder_id"]?.stringValue == fired.contents[0].reminderID.text)
    #expect(body["data"]?["alert"]?["body"] == "Buy milk" && body["data"]?["actions"] == [])
    #expect(
      body["data"]?["update"]?.serialized()
        == #"{"message_id":"\#(fired.id.text)","number":1,"state":"answered","words":"checked item 1","do":"check","#
        + #""action":"done","channel":"link","person":null,"at":"2026-11-21T08:01:00Z"}"#)
    let id = answered.fields.first { $0.name == "webhook-id" }?.value
    #expect(id == ReminderUpdate.id(number: 1, of: fired.id).text)
    let open = try Hooking.json(try await Hooking.request(Sample.attempt(update(.open))))
    #expect(open["type"] == "reminder.reopened")
    #expect(open["data"]?["actions"]?.arrayValue?.map { $0["identifier"] } == ["done", "later"])
    #expect(open["data"]?["update"]?["do"] == .null && open["data"]?["update"]?["action"] == .null)
  }

  @Test("ntfy: the update of a message has its sequence id, and makes no sound")
  func ntfy() async throws {
    func body(_ message: Message, late: Int = 0) async throws -> JSONValue {
      try Hooking.json(
        await Hooking.request(Sample.attempt(message, lateSeconds: late), url: "https://ntfy.example.org/bells") {
          $0.format = .ntfy
        })
    }
    let message = try Sample.message()
    let fired = try await body(message)
    #expect(fired["sequence_id"]?.stringValue == message.id.text && fired["priority"] == 3)
    // A server refuses other characters, and more than 64.
    let sequence = try #require(fired["sequence_id"]?.stringValue)
    #expect(sequence.wholeMatch(of: /[-_A-Za-z0-9]{1,64}/) != nil)
    let answered = try await body(update(.answered), late: 600)
    #expect(answered["sequence_id"] == fired["sequence_id"] && answered["topic"] == "bells")
    #expect(answered["title"] == "Groceries")
    #expect(answered["message"] == "Buy milk\nChecked item 1 ('done' by link)")
    #expect(answered["tags"] == ["white_check_mark"] && answered["priority"] == 2)
    let open = try await body(update(.open), late: 600)
    #expect(open["sequence_id"] == fired["sequence_id"] && open["priority"] == 2)
    #expect(
      open["message"]?.stringValue == """
        Buy milk
        Open again
        Saturday, 21 November 2026 at 08:00 UTC, 10 min ago
        \(try Hooking.commands())
        """)
  }

  @Test("a failed delivery's notice and a test have sequence ids of their own")
  func others() async throws {
    let fired = try Sample.message()
    let failure = DeliveryFailure(sink: "mail", recipient: nil, reason: "535 wrong", isFinal: true)
    let notice = Message(
      id: Sample.uuid("notice"), sink: "chat", contents: fired.contents.map { ReminderContent($0, failure: failure) },
      createdAt: Sample.now)
    let request = try await Hooking.request(Sample.attempt(notice), url: "https://ntfy.example.org/bells") {
      $0.format = .ntfy
    }
    #expect(try Hooking.json(request)["sequence_id"]?.stringValue == notice.id.text)
  }
}
