import BelfryEngine
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
import Transport

@testable import BelfryModel
@testable import TelegramSink

@Suite("Updates of messages in a Telegram chat")
struct TelegramUpdateTests {
  private static let receipt = "message 7 in chat -1009"

  private func update(_ state: ReminderUpdate.State, receipt: String? = receipt) throws -> DeliveryAttempt {
    Telling.attempt(Sample.update(of: try Sample.message(), to: state), receipt: receipt)
  }

  @Test("an answer: the message is edited, without buttons, and says what was done, how and when")
  func answered() async throws {
    let api = ScriptedBotAPI()
    let outcome = await Telling.sink(api).deliver(try update(.answered))
    // The next update needs the same words.
    #expect(outcome == .delivered(reply: Self.receipt))
    #expect(api.calls.map(\.method) == ["editMessageText"])
    #expect(
      api.calls.first?.parameters.serialized()
        == #"{"chat_id":-1009,"message_id":7,"text":"Buy milk\nChecked item 1 ('done' by link)\n"#
        + #"Saturday, 21 November 2026 at 08:01 UTC","entities":[{"type":"bold","offset":0,"length":8}],"#
        + #""link_preview_options":{"is_disabled":true}}"#)
  }

  @Test("open again: the message is edited, and has its buttons")
  func reopened() async throws {
    let api = ScriptedBotAPI()
    #expect(await Telling.sink(api).deliver(try update(.open)).isDelivered)
    let parameters = try #require(api.calls(of: "editMessageText").first)
    #expect(parameters["text"]?.stringValue?.hasPrefix("Buy milk\nOpen again\nGroceries · ") == true)
    #expect(parameters["reply_markup"]?["inline_keyboard"]?.arrayValue?.first?.arrayValue?.count == 2)
  }

  @Test(
    "where nobody knows the copy, an update is a message without a sound",
    arguments: [nil, "HTTP 200", "message 7 in chat", "message x in chat 1", "message 7 in chat 1 and more"])
  func unknown(receipt: String?) async throws {
    let api = ScriptedBotAPI()
    let outcome = await Telling.sink(api).deliver(try update(.answered, receipt: receipt))
    #expect(outcome == .delivered(reply: "message 41 in chat 1001"))
    let parameters = try #require(api.calls(of: "sendMessage").first)
    #expect(parameters["disable_notification"] == true && parameters["reply_markup"] == nil)
  }

  @Test("what is of low urgency, or has the sound none, makes no sound")
  func silence() async throws {
    let styles = [
      AlertStyle(urgency: .low), AlertStyle(sound: ReminderAlert.noSound), AlertStyle(), AlertStyle(urgency: .critical),
    ]
    for (style, isSilent) in zip(styles, [true, true, false, false]) {
      let api = ScriptedBotAPI()
      _ = await Telling.sink(api).deliver(Telling.attempt(try Sample.message(alert: style)))
      let parameters = try #require(api.calls(of: "sendMessage").first)
      #expect(parameters["disable_notification"] == (isSilent ? true : nil))
    }
  }

  @Test("an edit that changes nothing is delivered; what cannot be edited any more is not tried again")
  func refusals() async throws {
    func outcome(_ description: String) async throws -> DeliveryOutcome {
      let api = ScriptedBotAPI { _, _ throws(TransferFailure) in .refusal(400, "Bad Request: \(description)") }
      return await Telling.sink(api).deliver(try update(.answered))
    }
    let same = "message is not modified: specified new message content and reply markup are exactly the same"
    #expect(try await outcome(same) == .delivered(reply: Self.receipt))
    for description in ["message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID"] {
      #expect(
        try await outcome(description) == .never(reason: "HTTP 400: Bad Request: \(description)"))
    }
  }
}
