import BelfryEngine
import BelfryModel
import BelfryTestKit
import MessageText
import Testing

@testable import DesktopSink

@Suite("The texts of a notification")
struct TextTests {
  private func text(_ attempt: DeliveryAttempt, _ capabilities: [String] = ["actions"]) -> NotificationText {
    let words = ReminderWords.all(attempt, zones: Notifying.zones, limit: NotificationText.mostReminders)
    return NotificationText(attempt, words: words, for: Capabilities(capabilities))
  }

  @Test("the title is the item; the text has its list, when it is due, its notes and the other ways to answer")
  func reminder() throws {
    let text = text(Sample.attempt(try Notifying.message(notes: "Two litres"), lateSeconds: 600))
    let reminder = try Notifying.message().contents[0].reminderID.text
    #expect(text.summary == "Buy milk")
    #expect(
      text.body == """
        Groceries · Saturday, 21 November 2026 at 08:00 UTC, 10 min ago
        This reminder is 10 min late.

        Two litres
        Delete it: belfry act \(reminder) trash
        OK: belfry act \(reminder) ok
        Edit: belfry act \(reminder) edit
        More: belfry explain 1
        """)
  }

  @Test("a step of an escalation says who has not answered, first")
  func escalation() throws {
    let text = text(Sample.attempt(try Sample.step()).linked)
    #expect(text.summary == "Buy milk")
    #expect(text.body.hasPrefix("Anna has not answered since 07:50 (step 2 of 3)\nGroceries · "))
  }

  @Test(
    "what a token may carry out stands on a button, under its number in the message, and with a page what only opens")
  func buttons() throws {
    let text = text(Sample.attempt(try Notifying.message()))
    #expect(text.buttons.map(\.number) == [1] && text.buttons.map(\.action.identifier) == ["done"])
    #expect(!text.isClickable)
    let linked = self.text(Sample.attempt(try Notifying.message()).linked)
    #expect(linked.buttons.map(\.action.identifier) == ["done", "edit"])
  }

  @Test("buttons come in the order in which a small display shows them")
  func order() throws {
    let content = try Notifying.message().contents[0]
    let actions = ["done", "seen", "noted"].map { identifier in
      OfferedAction(
        identifier: identifier, title: identifier, operation: .acknowledge, isMinimal: identifier == "noted")
    }
    let message = Message(
      id: Sample.uuid("order"), sink: "sink",
      contents: [
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
          category: nil, actions: actions, timeZone: "UTC")
      ], createdAt: Sample.now)
    #expect(text(Sample.attempt(message)).buttons.map(\.number) == [3, 1, 2])
  }

  @Test("with a page, a click opens it, and the text needs no commands")
  func page() throws {
    let text = text(Sample.attempt(try Notifying.message()).linked)
    #expect(text.isClickable && text.body == "Groceries · Saturday, 21 November 2026 at 08:00 UTC, now")
  }

  @Test("a server without buttons gets the link, and without a page the command of each action")
  func withoutButtons() throws {
    let attempt = Sample.attempt(try Notifying.message())
    let linked = text(attempt.linked, ["body"])
    #expect(linked.buttons.isEmpty && !linked.isClickable)
    #expect(linked.body.hasSuffix("\nAnswer: \(try #require(attempt.linked.links.first).answerURL)"))
    let bare = text(attempt, ["body"])
    #expect(bare.body.contains("\nDone: belfry act ") && bare.body.contains("\nDelete it: belfry act "))
  }

  @Test("a text that may be cut in the title is whole in the text")
  func longText() throws {
    let long = String(repeating: "long ", count: 100) + "end"
    let text = text(Sample.attempt(try Notifying.message(long)))
    #expect(text.summary.hasSuffix("…") && text.summary.utf8.count <= 250)
    #expect(text.body.hasPrefix(long + "\n"))
    let narrow = try Notifying.message("Call the dentist about Thursday")
    #expect(self.text(Sample.attempt(narrow)).body.hasPrefix("Call the dentist about Thursday\nGroceries"))
    let endless = self.text(Sample.attempt(try Notifying.message(String(repeating: "long ", count: 2_000))))
    #expect(endless.body.utf8.count < 5_000 && endless.body.hasSuffix("More: belfry explain 1"))
  }

  @Test("characters that a screen or sd-bus cannot take are replaced")
  func hostile() throws {
    let text = text(
      Sample.attempt(
        try Notifying.message("a\u{202e}b\u{1b}[31m\u{fffe}\u{1ffff}c", notes: "d\u{0}e\u{2067}\nf\u{ffff}")))
    #expect(text.summary == "a\u{fffd}b [31m\u{fffd}\u{fffd}c", "\(text.summary.unicodeScalars.map(\.value))")
    #expect(text.body.contains("\nd\u{fffd}e\u{fffd}\nf\u{fffd}\n"))
  }

  @Test("a failure notice says what failed and offers nothing")
  func failure() throws {
    let content = try Notifying.message().contents[0]
    let failure = DeliveryFailure(sink: "mail", recipient: nil, reason: "550 no such user", isFinal: true)
    let message = Message(
      id: Sample.uuid("failure"), sink: "sink", contents: [ReminderContent(content, failure: failure)],
      createdAt: Sample.now)
    let text = text(Sample.attempt(message))
    #expect(text.summary == "Not delivered to mail" && text.body.hasPrefix("550 no such user\n\nBuy milk\nGroceries"))
    #expect(text.buttons.isEmpty && !text.body.contains("belfry"))
  }

  @Test("a message of several reminders has them all, without buttons")
  func several() throws {
    let one = try Sample.message(text: "One", itemID: 1).contents[0]
    let two = try Sample.message(text: "Two", itemID: 2).contents[0]
    let message = Message(
      id: Sample.uuid("two"), sink: "sink", contents: [one, two], createdAt: Sample.now)
    let text = text(Sample.attempt(message))
    #expect(text.summary == "One and 1 more" && text.buttons.isEmpty)
    #expect(text.body.hasPrefix("One\nGroceries") && text.body.contains("\n\nTwo\nGroceries"))
  }

  @Test("the key of a button is read as it was written, and nothing else is taken for one")
  func keys() throws {
    let reminder = Sample.uuid("reminder")
    let key = ButtonKey(reminder: reminder, action: 3)
    #expect(ButtonKey(parsing: key.text) == key)
    let wrong = [
      "default", "", ".", "\(reminder.text)", "\(reminder.text).", "\(reminder.text).x", "\(reminder.text).03",
      "\(reminder.text).+3", "\(reminder.text).3.1", " \(reminder.text).3", "\(reminder.text.uppercased()).3",
      "\(reminder.text).99999999999999999999",
    ]
    for text in wrong { #expect(ButtonKey(parsing: text) == nil, "\(text)") }
  }
}
