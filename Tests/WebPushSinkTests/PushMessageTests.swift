import BelfryEngine
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@testable import BelfryModel
@testable import WebPushSink

@Suite("What a push says")
struct PushMessageTests {
  private func fixture() throws -> PushFixture {
    let fixture = try PushFixture()
    try fixture.subscribe()
    return fixture
  }

  private func attempt(_ message: Message, late: Int = 0) -> DeliveryAttempt {
    Sample.attempt(message, to: "Phone", lateSeconds: late).linked
  }

  @Test("text, list, lateness, page, buttons, badge and time of a reminder")
  func reminder() async throws {
    let json = try await fixture().shown(attempt(Sample.message(), late: 600))
    #expect(json["title"] == "Buy milk")
    #expect(
      json["text"] == """
        Groceries · Saturday, 21 November 2026 at 08:00 UTC, 10 min ago
        This reminder is 10 min late.
        """)
    #expect(json["url"]?.stringValue?.hasPrefix("https://belfry.example.org/a/") == true)
    let actions = try #require(json["actions"]?.arrayValue)
    #expect(actions.map { $0["title"] } == ["Done", "Later"])
    #expect(actions.allSatisfy { $0["token"] != nil && $0["url"] == nil })
    #expect(json["badge"]?.integerValue != nil && json["time"]?.integerValue == 1_795_248_000_000)
    #expect(json["silent"] == nil)
  }

  @Test("what destroys or needs a sign-in opens its page, and what small displays prefer comes first")
  func buttons() async throws {
    let actions = [
      OfferedAction(identifier: "a", title: "A", operation: .check),
      OfferedAction(identifier: "b", title: "B", isDestructive: true, operation: .delete, isMinimal: true),
      OfferedAction(identifier: "c", title: "C", requiresAuthentication: true, operation: .check),
    ]
    var message = try Sample.message()
    message.contents = message.contents.map { content in
      ReminderContent(
        reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
        category: nil, actions: actions, timeZone: "UTC")
    }
    let json = try await fixture().shown(attempt(message))
    let shown = try #require(json["actions"]?.arrayValue)
    #expect(shown.map { $0["title"] } == ["B", "A", "C"])
    #expect(shown.map { $0["token"] != nil } == [false, true, false])
    #expect(shown.map { $0["url"] != nil } == [true, false, true])
  }

  @Test("an answer takes the message's place without a sound, and says who gave it")
  func update() async throws {
    let fixture = try fixture()
    let message = try Sample.message()
    let fired = try await fixture.shown(attempt(message))
    let answered = try await fixture.shown(attempt(Sample.update(of: message, to: .answered)))
    #expect(answered["tag"] == fired["tag"] && answered["silent"] == true && answered["actions"] == nil)
    #expect(answered["isOver"] == true)
    #expect(answered["text"]?.stringValue?.contains("('done' by link)") == true, "\(answered)")
    #expect(fixture.requests.map { $0.field("Topic") }.count(where: { $0 == fired["tag"]?.stringValue }) == 2)
    #expect(fixture.requests.map { $0.field("Urgency") } == ["high", "normal"])
    let open = try await fixture.shown(attempt(Sample.update(of: message, to: .open)))
    #expect(open["tag"] == fired["tag"] && open["silent"] == true && open["actions"] != nil)
  }

  @Test(
    "urgency and sound: silence, vibration and how long it stays",
    arguments: [
      (.low, "default", "normal", true, nil), (.normal, "bell", "high", nil, nil), (.normal, "none", "high", true, nil),
      (.high, "default", "high", nil, "high"), (.critical, "default", "high", nil, "critical"),
    ] as [(Urgency, String, String, Bool?, String?)])
  func urgency(urgency: Urgency, sound: String, field: String, silent: Bool?, word: String?) async throws {
    let fixture = try fixture()
    let style = AlertStyle(sound: sound, urgency: urgency)
    let json = try await fixture.shown(attempt(Sample.message(alert: style)))
    #expect(fixture.requests.first?.field("Urgency") == field)
    #expect(json["silent"] == silent.map { .bool($0) } && json["urgency"]?.stringValue == word)
    #expect(json["isOver"] == nil && json["actions"] != nil)
  }

  @Test("a step of an escalation takes the place of the step before; another item does not")
  func topics() async throws {
    let fixture = try fixture()
    let first = try await fixture.shown(attempt(Sample.message()))
    #expect(try await fixture.shown(attempt(Sample.step(2)))["tag"] == first["tag"])
    #expect(try await fixture.shown(attempt(Sample.message(itemID: 2)))["tag"] != first["tag"])
    #expect(try await fixture.shown(attempt(Sample.message(at: 1)))["tag"] != first["tag"])
  }

  @Test(
    "a long text is cut between two characters, and neither link nor button is",
    arguments: ["x", "ä", "\"", "\u{1}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}"])
  func long(text: String) async throws {
    let message = try Sample.message(
      text: String(repeating: text, count: 9_000), listName: String(repeating: text, count: 3_000))
    let json = try await fixture().shown(attempt(message))
    let title = try #require(json["title"]?.stringValue)
    #expect(text == "\u{1}" ? title == "Belfry" : title.hasSuffix("…"))
    #expect(json["text"]?.stringValue?.hasSuffix("…") == true)
    #expect(json["actions"]?.arrayValue?.count == 2 && json["url"] != nil)
  }

  @Test("without a page the commands stand in the text")
  func commands() async throws {
    let json = try await fixture().shown(Sample.attempt(Sample.message(), to: "Phone"))
    #expect(json["text"]?.stringValue?.contains("Done: belfry act ") == true)
    #expect(json["url"] == nil && json["actions"] == nil)
  }

  @Test("what tells of a failure says so first")
  func failure() async throws {
    let failure = DeliveryFailure(sink: "mail", recipient: "me@example.org", reason: "535 wrong", isFinal: true)
    let content = ReminderContent(try #require(Sample.message(text: "Bread").contents.first), failure: failure)
    let message = Message(id: Sample.uuid("told"), sink: "phone", contents: [content], createdAt: Sample.now)
    let json = try await fixture().shown(attempt(message))
    #expect(json["title"] == "Not delivered to mail (me@example.org)")
    #expect(json["text"]?.stringValue?.hasPrefix("535 wrong\nBread\n") == true)
    #expect(json["badge"] == nil)
  }
}
