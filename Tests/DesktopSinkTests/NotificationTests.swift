import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import TestSupport
import Testing

@testable import DesktopSink

@Suite("The notifications of a desktop")
struct NotificationTests {
  @Test("a reminder goes out with its title, markup, buttons and hints")
  func reminder() async throws {
    let desktop = try RecordedDesktop()
    let message = try Notifying.message("Milk & <b>bread</b>", notes: "5 > 3 & \"so\"")
    let shown = try await desktop.shown(Sample.attempt(message))
    let reminder = message.contents[0].reminderID.text
    #expect(shown.summary == "Milk & <b>bread</b>" && shown.replaced == 0 && shown.icon == "appointment-soon")
    #expect(shown.body?.contains("\n5 &gt; 3 &amp; &quot;so&quot;\n") == true, "\(shown)")
    #expect(shown.actions == ["\(reminder).1", "Done"] && shown.milliseconds == -1)
    #expect(
      shown.hints == [
        "urgency": "1", "category": "x-belfry.reminder", "desktop-entry": "belfry", "resident": "True",
      ])
  }

  @Test("the settings and the alert's sound are in it")
  func settings() async throws {
    var settings = DesktopSettings()
    (settings.urgency, settings.icon, settings.shownFor) = (.critical, "bell", 90)
    let desktop = try RecordedDesktop(capabilities: ["body"], settings)
    var message = try Notifying.message(notes: "5 > 3")
    let content = message.contents[0]
    let alert = ReminderAlert(title: "Groceries", body: "Buy milk", action: "", sound: "alarm-clock-elapsed", badge: 0)
    message = Message(
      id: message.id, sink: "sink",
      contents: [
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: alert, subject: content.subject,
          category: nil, actions: content.actions, timeZone: "UTC")
      ], createdAt: Sample.now)
    let shown = try await desktop.shown(Sample.attempt(message))
    #expect(shown.icon == "bell" && shown.milliseconds == 90_000 && shown.actions == [])
    #expect(shown.body?.contains("\n5 > 3\n") == true, "a server without markup gets none: \(shown)")
    #expect(shown.hints?["urgency"] == "2" && shown.hints?["sound-name"] == "alarm-clock-elapsed")
    #expect(shown.hints?["resident"] == nil)
  }

  @Test(
    "the urgency of an alert decides its level, its sound and how long it stays",
    arguments: [
      (.low, "default", "0", nil, "True", -1), (.normal, "bell", "1", "bell", nil, -1),
      (.normal, "none", "1", nil, "True", -1), (.high, "default", "1", nil, nil, 0),
      (.critical, "bell", "2", "bell", nil, -1),
    ] as [(Urgency, String, String, String?, String?, Int)])
  func urgency(
    urgency: Urgency, sound: String, level: String, name: String?, suppressed: String?, milliseconds: Int
  ) async throws {
    let desktop = try RecordedDesktop()
    let message = try Sample.message(alert: AlertStyle(sound: sound, urgency: urgency))
    let shown = try await desktop.shown(Sample.attempt(message))
    #expect(shown.hints?["urgency"] == level && shown.hints?["sound-name"] == name)
    #expect(shown.hints?["suppress-sound"] == suppressed && shown.milliseconds == milliseconds)
  }

  @Test("with a page, a click opens it, as does what only opens, and the link stands nowhere")
  func page() async throws {
    let desktop = try RecordedDesktop()
    let shown = try await desktop.shown(Sample.attempt(try Notifying.message()).linked)
    #expect(shown.labels == ["Done", "Edit", "Open"] && shown.keys.last == "default")
    #expect(!"\(shown)".contains("https:"))
  }

  @Test("texts that sd-bus refuses, or that would reorder what stands around them, are delivered all the same")
  func hostile() async throws {
    let desktop = try RecordedDesktop()
    let texts = [
      "\u{fffe}", "\u{0}", "\u{202e}abc", "a\u{1b}[31m\r\nb", "<b", "&amp;", String(repeating: "é", count: 9_000),
    ]
    for text in texts {
      let shown = try await desktop.shown(Sample.attempt(try Notifying.message(text, notes: text)))
      let scalars = "\(shown.summary ?? "")\(shown.body ?? "")".unicodeScalars
      #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" || (0x202a...0x202e).contains($0.value) }, "\(shown)")
    }
  }

  @Test("what rings again takes the place of what the same item shows; another item stands beside it")
  func replaced() async throws {
    let desktop = try RecordedDesktop()
    let first = try await desktop.shown(Sample.attempt(try Sample.message(at: 0)))
    let nag = try await desktop.shown(Sample.attempt(try Sample.message(at: 1)))
    let other = try await desktop.shown(Sample.attempt(try Sample.message(itemID: 2, at: 1)))
    #expect(nag.replaced == first.number && nag.number == first.number)
    #expect(other.replaced == 0 && other.number != first.number)
  }

  @Test("after another start of the server, no number of the last one is used")
  func restartedServer() async throws {
    let bus = try SessionBus()
    let sink = Notifying.sink(on: bus)
    let message = try Sample.message()
    let first = try NotificationCollector(on: bus)
    let outcome = await sink.deliver(Sample.attempt(message))
    guard case .delivered(let receipt?) = outcome else {
      Issue.record("the outcome is \(outcome)")
      return
    }
    first.stop()
    let second = try NotificationCollector(on: bus)
    let withdrawal = Sample.attempt(Sample.update(of: message, to: .answered)).with(receipt: receipt)
    #expect(await sink.deliver(withdrawal) == .delivered)
    #expect(try second.records() == [])
    #expect(await sink.deliver(Sample.attempt(try Sample.message(at: 1))).isDelivered)
    #expect(try second.records().map(\.replaced) == [0])
  }

  @Test("the answer closes the notification, also by the next process; open again, it is shown anew without a sound")
  func withdrawal() async throws {
    let desktop = try RecordedDesktop()
    let message = try Sample.message()
    let outcome = await desktop.sink.deliver(Sample.attempt(message))
    guard case .delivered(let receipt?) = outcome else {
      Issue.record("the outcome is \(outcome)")
      return
    }
    let next = Notifying.sink(on: desktop.bus)
    let answered = Sample.attempt(Sample.update(of: message, to: .answered)).with(receipt: receipt)
    #expect(await next.deliver(answered) == .delivered)
    // Again, as after a kill: nothing is left to close.
    #expect(await next.deliver(answered) == .delivered)
    let reopened = Sample.attempt(Sample.update(of: message, to: .open))
    #expect(await next.deliver(reopened).isDelivered)
    let records = try desktop.server.records()
    #expect(records.map(\.kind) == ["shown", "closed", "closed", "shown"])
    #expect(records[1].number == records[0].number)
    #expect(records[3].labels == ["Done", "Later"] && records[3].hints?["suppress-sound"] == "True")
    #expect(records[3].summary == "Buy milk" && records[3].body?.hasPrefix("Open again\n") == true)
  }

  @Test("the answer to an earlier ringing does not close what rings in its place")
  func laterRinging() async throws {
    let desktop = try RecordedDesktop()
    let message = try Sample.message(at: 0)
    let outcome = await desktop.sink.deliver(Sample.attempt(message))
    guard case .delivered(let receipt?) = outcome else {
      Issue.record("the outcome is \(outcome)")
      return
    }
    _ = try await desktop.shown(Sample.attempt(try Sample.message(at: 10)))
    let answered = Sample.attempt(Sample.update(of: message, to: .answered)).with(receipt: receipt)
    #expect(await desktop.sink.deliver(answered) == .delivered)
    #expect(try desktop.server.records().map(\.kind) == ["shown", "shown"])
  }

  @Test("a notification whose receipt was lost is closed as long as the process remembers it")
  func lostReceipt() async throws {
    let desktop = try RecordedDesktop()
    let message = try Sample.message()
    _ = try await desktop.shown(Sample.attempt(message))
    #expect(await desktop.sink.deliver(Sample.attempt(Sample.update(of: message, to: .answered))) == .delivered)
    #expect(try desktop.server.records().map(\.kind) == ["shown", "closed"])
  }

  @Test("in do-not-disturb a reminder waits, an answered one is closed, and a critical one is shown")
  func inhibited() async throws {
    let desktop = try RecordedDesktop(capabilities: ["actions", "inhibitions"])
    let message = try Sample.message()
    _ = try await desktop.shown(Sample.attempt(message))
    try desktop.server.behave(.inhibited)
    let reason = "do-not-disturb is on in Collector"
    #expect(await desktop.sink.deliver(Sample.attempt(try Sample.message(at: 1))) == .later(reason: reason))
    #expect(await desktop.sink.probe() == .delivered(reply: "Collector 1; \(reason)"))
    #expect(await desktop.sink.deliver(Sample.attempt(Sample.update(of: message, to: .answered))) == .delivered)
    #expect(try desktop.server.records().map(\.kind) == ["shown", "closed"])
    var settings = DesktopSettings()
    settings.urgency = .critical
    let critical = Notifying.sink(on: desktop.bus, settings)
    #expect(await critical.deliver(Sample.attempt(try Sample.message(itemID: 2))).isDelivered)
    try desktop.server.behave(.kind)
    #expect(await desktop.sink.deliver(Sample.attempt(try Sample.message(at: 1))).isDelivered)
  }

  @Test("what a server without the property says about another is not believed")
  func withoutProperty() async throws {
    let desktop = try RecordedDesktop()
    try desktop.server.behave(.inhibited)
    #expect(await desktop.sink.deliver(Sample.attempt(try Sample.message())).isDelivered)
  }
}

extension DeliveryAttempt {
  fileprivate func with(receipt: String) -> DeliveryAttempt {
    DeliveryAttempt(
      deliveryID: deliveryID, message: message, recipient: recipient, startedAt: startedAt, lateSeconds: lateSeconds,
      receipt: receipt)
  }
}
