import BelfryModel
import BelfryTestKit
import Foundation
import MessageText
import MustacheTemplates
import OrderedJSON
import Testing
import Transport

@testable import WebhookSink

@Suite("Formats of a body")
struct FormatTests {
  private func request(
    _ text: String, list: String = "Groceries", lateSeconds: Int = 0, url: String = "https://ntfy.example.org/bells",
    _ change: @escaping (inout WebhookEndpoint) throws -> Void
  ) async throws -> HTTPRequest {
    try await Hooking.request(
      Sample.attempt(try Sample.message(text: text, listName: list), lateSeconds: lateSeconds), url: url, change)
  }

  @Test("standard: the contract's own body")
  func standard() async throws {
    let attempt = Sample.attempt(try Sample.message())
    let request = try await Hooking.request(attempt)
    #expect(request.method == "POST")
    var body: [UInt8] = []
    attempt.writeBody(into: &body)
    #expect(request.body == body)
    #expect(request.fields.first { $0.name == "Content-Type" }?.value == "application/json")
    #expect(request.fields.first { $0.name == "User-Agent" }?.value == "belfry/\(BelfryVersion.current)")
  }

  @Test("slack: a text without markup, with its three characters escaped, cut at 40,000")
  func slack() async throws {
    let body = try Hooking.json(try await request("<!channel> R&D > 1") { $0.format = .slack })
    #expect(body["mrkdwn"] == false)
    #expect(
      body["text"]?.stringValue == """
        &lt;!channel&gt; R&amp;D &gt; 1
        Groceries · Saturday, 21 November 2026 at 08:00 UTC, now
        \(try Hooking.commands())
        """)
    let long = try Hooking.json(try await request(String(repeating: "&", count: 50_000)) { $0.format = .slack })
    let text = try #require(long["text"]?.stringValue)
    #expect(text.utf16.count <= 40_000 && text.hasPrefix("&amp;&amp;"))
  }

  @Test(
    "a step of an escalation says who has not answered, after the text",
    arguments: WebhookFormat.allCases.filter { $0.dialect != nil })
  func escalation(format: WebhookFormat) async throws {
    let request = try await Hooking.request(
      Sample.attempt(try Sample.step()), url: "https://chat.example.org/bells"
    ) { $0.format = format }
    let body = try Hooking.json(request)
    let text = (body["text"] ?? body["content"] ?? body["message"] ?? body["body"])?.stringValue
    #expect(text?.hasPrefix("Buy milk\nAnna has not answered since 07:50 (step 2 of 3)\n") == true, "\(text ?? "")")
  }

  @Test(
    "the news of an answer is one line, where no message can be changed; in a template it is the text",
    arguments: [WebhookFormat.slack, .discord, .gotify, .pushover, .apprise, .template])
  func news(format: WebhookFormat) async throws {
    let answered = Sample.update(of: try Sample.step(), to: .answered)
    let request = try await Hooking.request(Sample.attempt(answered)) { endpoint in
      endpoint.format = format
      guard format == .template else { return }
      endpoint.template = try Template(
        #"{"text":"{{text}}","type":"{{type}}","words":"{{update.words}}"}"#, escaping: .json,
        language: MustacheLanguage())
    }
    let body = try Hooking.json(request)
    let text = (body["text"] ?? body["content"] ?? body["message"] ?? body["body"])?.stringValue
    #expect(text == "'Buy milk' was checked at 08:01: nothing is left to do for you")
    guard format == .template else { return }
    #expect(body["type"] == "reminder.answered" && body["words"] == "checked item 1")
  }

  @Test("standard: the place in an escalation is an object of its own")
  func note() async throws {
    let body = try Hooking.json(try await Hooking.request(Sample.attempt(try Sample.step(asked: ["anna", "desk"]))))
    #expect(
      body["data"]?["escalation"]?.serialized()
        == #"{"name":"home","step":2,"of":3,"ring":1,"since":"2026-11-21T07:50:00Z","asked":["anna","desk"],"#
        + #""people":["anna"],"notify_on_answer":true}"#)
    let plain = try Hooking.json(try await Hooking.request(Sample.attempt(try Sample.message())))
    #expect(plain["data"]?["escalation"] == nil)
  }

  @Test(
    "what tells of a failure says so first, to whom and why",
    arguments: WebhookFormat.allCases.filter { $0.dialect != nil })
  func failure(format: WebhookFormat) async throws {
    for isFinal in [true, false] {
      let failure = DeliveryFailure(sink: "mail", recipient: "me@example.org", reason: "535 wrong", isFinal: isFinal)
      let content = ReminderContent(try #require(Sample.message(text: "Bread").contents.first), failure: failure)
      let message = Message(id: Sample.uuid("told"), sink: "chat", contents: [content], createdAt: Sample.now)
      let request = try await Hooking.request(Sample.attempt(message), url: "https://chat.example.org/bells") {
        $0.format = format
      }
      let body = try Hooking.json(request)
      let text = (body["text"] ?? body["content"] ?? body["message"] ?? body["body"])?.stringValue
      let headline = isFinal ? "Not delivered to mail (me@example.org)" : "mail (me@example.org) needs your attention"
      #expect(text?.hasPrefix("\(headline): 535 wrong\n\nBread\n") == true)
      if format == .ntfy { #expect(body["title"]?.stringValue == headline) }
    }
  }

  @Test("discord: a content of at most 2,000 characters that mentions nobody")
  func discord() async throws {
    let body = try Hooking.json(try await request("@everyone look") { $0.format = .discord })
    #expect(body["allowed_mentions"]?.serialized() == #"{"parse":[]}"#)
    #expect(body["content"]?.stringValue?.hasPrefix("@everyone look\nGroceries · ") == true)
    let long = try Hooking.json(try await request(String(repeating: "😀", count: 3_000)) { $0.format = .discord })
    let content = try #require(long["content"]?.stringValue)
    let end = "😀…\n\(try Hooking.commands())"
    #expect(content.utf16.count <= 2_000 && content.hasSuffix(end))
  }

  @Test("ntfy: JSON posted to the server's root, with the topic from the URL's path")
  func ntfy() async throws {
    let request = try await request(
      "Buy milk", lateSeconds: 600, url: "https://ntfy.example.org/base/bells?auth=x"
    ) { $0.format = .ntfy }
    #expect(request.url == "https://ntfy.example.org/base/?auth=x")
    let body = try Hooking.json(request)
    #expect(body["topic"] == "bells" && body["title"] == "Groceries" && body["priority"] == 3)
    #expect(body["tags"]?.arrayValue == ["alarm_clock", "hourglass"])
    #expect(
      body["message"]?.stringValue == """
        Buy milk
        Saturday, 21 November 2026 at 08:00 UTC, 10 min ago
        This reminder is 10 min late.
        \(try Hooking.commands())
        """)
  }

  @Test(
    "ntfy: a long text is cut before it would become an attachment, or its JSON too long",
    arguments: [("ä", 4_000), ("x", 4_000), ("\"", 2_000), ("\n", 2_000), ("\u{1}", 600)])
  func ntfyLong(text: String, least: Int) async throws {
    let request = try await request(String(repeating: text, count: 5_000), list: String(repeating: "ö", count: 400)) {
      $0.format = .ntfy
    }
    let body = try Hooking.json(request)
    #expect((least...4_095).contains(try #require(body["message"]?.stringValue).utf8.count))
    #expect(try #require(body["title"]?.stringValue).utf8.count <= 250)
    #expect(request.body.count < 8_192)
  }

  @Test(
    "a 200 is good only with what the service says when it took the message",
    arguments: [
      (WebhookFormat.slack, 200, "ok", true), (.slack, 200, "ok\n", true), (.slack, 200, "<html>ok</html>", false),
      (.slack, 200, "", false), (.discord, 204, "", true), (.discord, 200, #"{"id":"1"}"#, true),
      (.discord, 200, #"{"message":"x"}"#, false), (.discord, 200, "", false),
      (.ntfy, 200, #"{"id":"sPs71M8A2T","event":"message"}"#, true), (.ntfy, 200, "<html></html>", false),
      (.ntfy, 200, #"{"id":""}"#, false),
      (.gotify, 200, #"{"id":25,"appid":5}"#, true), (.gotify, 200, #"{"error":"x"}"#, false),
      (.matrix, 200, #"{"event_id":"$x:example.org"}"#, true), (.matrix, 200, #"{"errcode":"M_UNKNOWN"}"#, false),
      (.pushover, 200, #"{"status":1,"request":"x"}"#, true), (.pushover, 200, #"{"status":0}"#, false),
      (.apprise, 200, "", true), (.apprise, 200, #"{"error":""}"#, true), (.apprise, 200, "\n<html></html>", false),
      (.apprise, 204, "", false), (.homeAssistant, 200, "[]", true), (.homeAssistant, 200, "{}", false),
      (.standard, 200, "anything", true), (.template, 202, "", true),
    ])
  func goodAnswer(format: WebhookFormat, status: Int, body: String, isGood: Bool) async throws {
    let transport = RecordingHTTPTransport { _ in .success(HTTPResponse(status: status, body: Array(body.utf8))) }
    let sink = try Hooking.sink(transport, url: "https://example.org/topic", { $0.format = format })
    let outcome = await sink.deliver(Sample.attempt(try Sample.message()))
    #expect(outcome.isDelivered == isGood)
    if !isGood {
      guard case .later(_, nil, true) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test("a list's own reminder names what is unchecked", arguments: WebhookFormat.allCases.filter { $0.dialect != nil })
  func list(format: WebhookFormat) async throws {
    let list = Sample.list(
      id: 2, name: "Tools", reminder: ListReminder(due: try Sample.due(), zone: .floating, message: "Look at them"))
    let unchecked = (1...120).map { number in
      ItemListing(
        item: Sample.item(id: Int64(number), listID: 2, text: "t\(number)"), listName: "Tools", nextFireDate: nil)
    }
    let content = Sample.content(try Sample.reminder(of: .list(2)), about: .list(list, unchecked: unchecked))
    let message = Message(id: .belfry, sink: "s", contents: [content], createdAt: Sample.now)
    let request = try await Hooking.request(Sample.attempt(message), url: "https://example.org/t") {
      $0.format = format
    }
    let text = try Hooking.json(request).serialized()
    for word in ["Look at them", "• t1\\n", "• t100\\n", "… and 20 more", "Tools"] { #expect(text.contains(word)) }
    #expect(!text.contains("t101"))
  }
}

@Suite("Templates of a body")
struct TemplateBodyTests {
  private func body(_ template: String, _ text: String, type: String = "application/json") async throws -> String {
    let attempt = Sample.attempt(try Sample.message(text: text))
    let request = try await Hooking.request(attempt) {
      $0.format = .template
      $0.contentType = type
      $0.template = try Template(template, escaping: .of(type), language: MustacheLanguage())
    }
    #expect(request.fields.first { $0.name == "Content-Type" }?.value == type)
    return String(decoding: request.body, as: UTF8.self)
  }

  @Test(
    "no text can break the JSON",
    arguments: ["\"}],\"x\":[{\"", "\\", "\u{0}\u{1f}\r\n", "{{list}}", "</script>", "é😀", "\u{2028}"])
  func json(text: String) async throws {
    let body = try await body(#"{"a":"{{text}}","b":["{{item.text}}","{{alert.body}}"]}"#, text)
    let value = try JSONValue(parsing: body.utf8)
    #expect(value["a"]?.serialized() == JSONValue.string(text).serialized())
    #expect(value.objectValue?.keys == ["a", "b"])
    #expect(value["b"]?.arrayValue?.count == 2)
  }

  @Test("other media types have escapes of their own")
  func otherTypes() async throws {
    #expect(try await body("{{text}}", "a&b <c>", type: "text/plain; charset=utf-8") == "a&b <c>")
    #expect(try await body("{{text}}", "a&b <c>", type: "application/xml") == "a&amp;b &lt;c&gt;")
    #expect(try await body("m={{text}}", "a&b=c é", type: "application/x-www-form-urlencoded") == "m=a%26b%3Dc+%C3%A9")
  }

  @Test("names are those of the body, with the list's name and the text beside them")
  func names() async throws {
    let template = """
      {{type}}|{{list}}|{{text}}|{{item.id}}|{{data.item.id}}|{{alert.title}}|{{item.list}}|{{item.notes}}|\
      {{^list}}no list{{/list}}|{{#item.alerts}}{{.}}{{/item.alerts}}|{{nothing}}|{{late}}|{{due_in}}|{{count}}
      """
    #expect(
      try await body(template, "Buy milk", type: "text/plain")
        == "reminder.fired|Groceries|Buy milk|1|1|Groceries|Groceries||no list|PT0S|||now|1")
  }
}
