import BelfryEngine
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
import Transport

@testable import BelfryModel
@testable import WebhookSink

@Suite("Gotify, Pushover, Apprise, Matrix and Home Assistant")
struct PhoneDialectTests {
  private func body(_ attempt: DeliveryAttempt, _ format: WebhookFormat, url: String) async throws -> JSONValue {
    try Hooking.json(try await Hooking.request(attempt, url: url) { $0.format = format })
  }

  @Test(
    "gotify: the URL of a server becomes that of its messages",
    arguments: [
      ("https://push.example.org", "https://push.example.org/message"),
      ("https://push.example.org/gotify/?token=x", "https://push.example.org/gotify/message?token=x"),
      ("https://push.example.org/message?token=x", "https://push.example.org/message?token=x"),
    ])
  func gotifyURL(url: String, posted: String) async throws {
    let request = try await Hooking.request(Sample.attempt(Sample.message()), url: url) { $0.format = .gotify }
    #expect(request.url == posted)
  }

  @Test("gotify: plain text that a press leads on from, and no sound for the news of an answer")
  func gotify() async throws {
    let url = "https://push.example.org"
    let attempt = Sample.attempt(try Sample.message()).linked
    let json = try await body(attempt, .gotify, url: url)
    #expect(json["title"] == "Groceries" && json["priority"] == 5)
    #expect(json["message"]?.stringValue?.hasPrefix("Buy milk\nGroceries · ") == true)
    #expect(json["extras"]?["client::display"]?["contentType"] == "text/plain")
    #expect(json["extras"]?["client::notification"]?["click"]?["url"]?.stringValue == attempt.links[0].answerURL)
    let news = try await body(
      Sample.attempt(Sample.update(of: try Sample.step(), to: .answered)), .gotify, url: url)
    #expect(news["priority"] == 1)
  }

  @Test("pushover: token and user move from the URL into the body, texts keep to its limits")
  func pushover() async throws {
    let url =
      "https://api.pushover.net/1/messages.json?token=azGDORePK8gMaC0QOYAMyEEuzJnyUi&user=uQiRzpo4DXghDmr9QzzfQu"
    let attempt = Sample.attempt(try Sample.message(text: String(repeating: "é", count: 5_000))).linked
    let request = try await Hooking.request(attempt, url: url) { $0.format = .pushover }
    #expect(request.url == "https://api.pushover.net/1/messages.json")
    let json = try Hooking.json(request)
    #expect(json["token"] == "azGDORePK8gMaC0QOYAMyEEuzJnyUi" && json["user"] == "uQiRzpo4DXghDmr9QzzfQu")
    #expect(json["message"]?.stringValue?.unicodeScalars.count == 1_024 && json["priority"] == 0)
    #expect(json["url"]?.stringValue == attempt.links[0].answerURL && json["url_title"] == "Answer")
  }

  @Test("apprise: title, text and type, as text alone")
  func apprise() async throws {
    let url = "https://apprise.example.org/notify/home"
    let attempt = Sample.attempt(try Sample.message(text: "<b>*x*</b>")).linked
    let json = try await body(attempt, .apprise, url: url)
    #expect(json["title"] == "Groceries" && json["type"] == "info" && json["format"] == "text")
    #expect(json["body"]?.stringValue?.hasPrefix("<b>*x*</b>\n") == true)
    #expect(json["body"]?.stringValue?.hasSuffix("\nAnswer: \(attempt.links[0].answerURL)") == true)
  }

  @Test("home assistant: buttons are events that name their tokens, and an update takes the place without a sound")
  func homeAssistant() async throws {
    let url = "http://ha.example.org:8123/api/services/notify/mobile_app_phone"
    let message = try Sample.message()
    let attempt = Sample.attempt(message).linked
    let json = try await body(attempt, .homeAssistant, url: url)
    #expect(json["title"] == "Groceries" && json["message"]?.stringValue?.hasPrefix("Buy milk\n") == true)
    let data = try #require(json["data"])
    #expect(data["url"]?.stringValue == attempt.links[0].answerURL && data["clickAction"] == data["url"])
    let tokens = attempt.links[0].actions.compactMap(\.token)
    #expect(data["actions"]?.arrayValue?.map { $0["action"]?.stringValue } == tokens.map { "belfry-\($0)" })
    #expect(data["actions"]?.arrayValue?.map { $0["title"] } == ["Done", "Later"])
    #expect(data["alert_once"] == nil && data["push"] == nil)
    let update = try await body(Sample.attempt(Sample.update(of: message, to: .answered)), .homeAssistant, url: url)
    #expect(update["data"]?["tag"] == data["tag"] && update["data"]?["alert_once"] == true)
    #expect(update["data"]?["push"]?["interruption-level"] == "passive" && update["data"]?["actions"] == nil)
  }

  @Test("matrix: a message is an event of its own, which an update edits, and which mentions nobody")
  func matrix() async throws {
    let url = "https://matrix.example.org/_matrix/client/v3/rooms/!room:example.org"
    let message = try Sample.message(text: "@room look")
    let request = try await Hooking.request(Sample.attempt(message).linked, url: url) { $0.format = .matrix }
    #expect(request.method == "PUT" && request.url == "\(url)/send/m.room.message/\(message.id.text)")
    let json = try Hooking.json(request)
    #expect(json["msgtype"] == "m.text" && json["m.mentions"]?.serialized() == "{}" && json["m.relates_to"] == nil)
    #expect(json["body"]?.stringValue?.hasPrefix("@room look\nGroceries · ") == true)

    let asked = try await Hooking.request(Sample.attempt(message), url: "\(url)/?server=x") { $0.format = .matrix }
    #expect(asked.url == "\(url)/send/m.room.message/\(message.id.text)?server=x")

    let transport = RecordingHTTPTransport { _ in
      .success(HTTPResponse(status: 200, body: Array(#"{"event_id":"$new:example.org"}"#.utf8)))
    }
    let sink = try Hooking.sink(transport, url: url, { $0.format = .matrix })
    let update = Sample.update(of: message, to: .answered)
    for receipt in ["$old:example.org", nil] {
      let attempt = DeliveryAttempt(
        deliveryID: 2, message: update, recipient: nil, startedAt: Sample.now, lateSeconds: 0, receipt: receipt)
      #expect(await sink.deliver(attempt) == .delivered(reply: receipt ?? "$new:example.org"))
      let edit = try Hooking.json(try #require(transport.requests.last))
      #expect(edit["m.relates_to"]?["event_id"]?.stringValue == receipt)
      let shown = receipt == nil ? edit["body"] : edit["m.new_content"]?["body"]
      #expect(shown?.stringValue?.contains("('done' by link)") == true, "\(edit)")
    }
  }

  @Test("matrix: a reply whose event ID is none is a delivery without an identity", arguments: ["$a\\u0000", "$ä"])
  func matrixIdentity(id: String) async throws {
    let transport = RecordingHTTPTransport { _ in
      .success(HTTPResponse(status: 200, body: Array(#"{"event_id":"\#(id)"}"#.utf8)))
    }
    let url = "https://matrix.example.org/_matrix/client/v3/rooms/!room:example.org"
    let sink = try Hooking.sink(transport, url: url, { $0.format = .matrix })
    let outcome = await sink.deliver(Sample.attempt(try Sample.message()))
    #expect(outcome == .delivered(reply: "HTTP 200"))
  }

  @Test(
    "texts keep to the services' limits",
    arguments: [(WebhookFormat.gotify, 4_000), (.apprise, 4_000), (.homeAssistant, 2_000)])
  func limits(format: WebhookFormat, limit: Int) async throws {
    let message = try Sample.message(
      text: String(repeating: "ä", count: 9_000), listName: String(repeating: "ö", count: 900))
    let json = try await body(Sample.attempt(message).linked, format, url: "https://example.org/x")
    let text = try #require((json["message"] ?? json["body"])?.stringValue)
    #expect(text.utf8.count <= limit && text.utf8.count > limit * 9 / 10)
    #expect(try #require(json["title"]?.stringValue).count <= 250)
  }

  @Test("home assistant: a text full of quotation marks keeps to the limit with its escapes")
  func escapes() async throws {
    let message = try Sample.message(text: String(repeating: "\"", count: 9_000))
    let json = try await body(Sample.attempt(message).linked, .homeAssistant, url: "https://example.org/x")
    let quoted = try #require(json["message"]).serialized().utf8.count - 2
    #expect(quoted <= 2_000 && quoted > 1_800)
  }
}
