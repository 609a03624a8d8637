import Foundation
import OrderedJSON
import Testing
import TestSupport

/// Tests of the server that stands in for ntfy's, with the program `curl`.
@Suite("The ntfy server of the test kit")
struct NtfyServerTests {
  @Test(
    "JSON within the limits is published, any other is refused with ntfy's error",
    arguments: [
      (["actions": [view, view, view]], nil), (["actions": [view, view, view, view]], 40_018),
      (["actions": [["action": "http", "label": "Done"]]], 40_018), (["priority": 5], nil), (["priority": 6], 40_007),
      (["priority": "5"], 40_024), (["sequence_id": "a-1"], nil), (["sequence_id": "a 1"], 40_049),
      (["topic": "a/b"], 40_009), (["topic": "docs"], 40_010),
    ] as [(JSONObject, Int64?)])
  func limits(message: JSONObject, code: Int64?) throws {
    let server = try NtfyServer()
    var message = message
    message["topic"] = message["topic"] ?? "bells"
    let reply = try JSONValue(parsing: curl("-d", JSONValue.object(message).serialized(), "\(server.url)/").utf8)
    #expect(reply["code"] == code.map { .integer($0) })
    #expect(reply["http"] == code.map { .integer($0 / 100) })
    #expect(try server.sent(to: "bells").map(\.id) == [reply["id"]?.stringValue].compactMap(\.self))
  }

  @Test(
    "a text of 4,096 bytes would be an attachment, which is not taken",
    arguments: [(4_095, nil), (4_096, 40_014), (8_192, 41_303)] as [(Int, Int64?)])
  func length(bytes: Int, code: Int64?) throws {
    let server = try NtfyServer()
    let message: JSONValue = ["topic": "bells", "message": .string(String(repeating: "x", count: bytes))]
    let reply = try JSONValue(parsing: curl("-d", message.serialized(), "\(server.url)/").utf8)
    #expect(reply["code"] == code.map { .integer($0) })
    #expect(try server.sent(to: "bells").count == (code == nil ? 1 : 0))
  }

  @Test("a press of a button posts its body, and dismisses the notification until it is updated")
  func press() async throws {
    let server = try NtfyServer()
    let action: JSONValue = [
      "action": "http", "label": "Done", "url": .string("\(server.url)/replies"), "body": "token", "clear": true,
    ]
    let message: JSONObject = ["topic": "bells", "message": "Milk", "sequence_id": "m1", "actions": [action]]
    _ = try curl("-d", JSONValue.object(message).serialized(), "\(server.url)/")
    let shown = try #require(server.shown(on: "bells").first)
    #expect(try await server.press(message: shown, button: "Done") == 200)
    #expect(try server.sent(to: "replies").map(\.message) == ["token"])
    #expect(try server.shown(on: "bells").isEmpty)
    _ = try curl("-d", "Milk: done", "\(server.url)/bells/m1")
    #expect(try server.shown(on: "bells").map(\.message) == ["Milk: done"])
    _ = try curl("-X", "DELETE", "\(server.url)/bells/m1")
    #expect(try server.shown(on: "bells").isEmpty)
    #expect(try server.sent(to: "bells").map(\.event) == [.message, .message, .messageDelete])
  }

  @Test("an update that comes before the reply to the press stays")
  func updatedDuringPress() async throws {
    let server = try NtfyServer()
    // The press itself updates.
    let action: JSONValue = [
      "action": "http", "label": "Done", "url": .string("\(server.url)/bells/m1"), "body": "Milk: done", "clear": true,
    ]
    let message: JSONObject = ["topic": "bells", "message": "Milk", "sequence_id": "m1", "actions": [action]]
    _ = try curl("-d", JSONValue.object(message).serialized(), "\(server.url)/")
    #expect(try await server.press(message: try #require(server.shown(on: "bells").first), button: "Done") == 200)
    #expect(try server.shown(on: "bells").map(\.message) == ["Milk: done"])
  }

  @Test("messages are kept for 12 hours, and are asked for by time or by the last one's id")
  func cache() throws {
    let server = try NtfyServer(standingAt: 1_700_000_000)
    let first = try server.publish("one", to: "replies")
    try server.advance(seconds: 3_600)
    _ = try server.publish("two", to: "replies")
    func polled(_ since: String) throws -> [JSONValue?] {
      try curl("\(server.url)/replies/json?poll=1&since=\(since)").split(separator: "\n").map {
        try JSONValue(parsing: $0.utf8)["message"]
      }
    }
    for (since, texts) in [
      ("all", ["one", "two"]), ("none", []), (first, ["two"]), ("1700003600", ["two"]), ("30m", ["two"]),
      ("AAAAAAAAAAAA", ["one", "two"]),
    ] as [(String, [JSONValue?])] {
      #expect(try polled(since) == texts, "since=\(since)")
    }
    try server.advance(seconds: 11 * 3_600)
    #expect(try polled("all") == ["two"])
    #expect(try curl("\(server.url)/replies/json?poll=1&since=x").contains(#""code":40008"#))
  }

  @Test("a stream opens, brings what was missed, then what comes, lives on, and ends in the middle of a line")
  func stream() async throws {
    let server = try NtfyServer(standingAt: 1_700_000_000)
    let last = try server.publish("one", to: "replies")
    try server.publish("two", to: "replies")
    let stream = try Curling(["\(server.url)/replies/json?since=\(last)"])
    await eventually("the stream is open") { (try? server.streams()) == ["replies"] }
    try server.publish("three", to: "replies")
    try server.send(line: "{", to: "replies")
    try server.advance(seconds: 45)
    try server.fail(line: .message, .duplicate)
    try server.publish("four", to: "replies")
    try server.fail(line: .message, .cut)
    try server.publish("five", to: "replies")
    let lines = try stream.output().split(separator: "\n").map(String.init)
    let values = lines.map { try? JSONValue(parsing: $0.utf8) }
    #expect(
      values.map { $0?["message"] ?? $0?["event"] } == ["open", "two", "three", nil, "keepalive", "four", "four", nil])
    #expect(lines.last?.hasPrefix(#"{"id":""#) == true)
    #expect(try server.sent(to: "replies").last?.message == "five")
  }

  @Test("who may use it is asked for a token, or a name and a password")
  func credentials() throws {
    let server = try NtfyServer(credentials: [.token("tk_secret"), .basic(user: "anna", password: "pw")])
    let url = "\(server.url)/bells/auth"
    let ways = [
      [], ["-H", "Authorization: Bearer tk_other"], ["-H", "Authorization: Bearer tk_secret"], ["-u", "anna:pw"],
    ]
    let statuses = try ways.map { try curl(["-o", "/dev/null", "-w", "%{http_code}", url] + $0) }
    #expect(statuses == ["403", "401", "200", "200"])
  }

  @Test("faults end by themselves, and a restart loses messages only where it is told to")
  func faults() throws {
    let server = try NtfyServer()
    let sent = ["-d", "milk", "\(server.url)/replies"]
    try server.fail(.publish, .status(429))
    #expect(try curl(sent).contains(#""code":42901"#))
    try server.fail(.publish, .drop(afterEffect: true))
    #expect(try curl(sent) == "")
    #expect(try curl(sent).contains("milk"))
    #expect(try server.requests(of: "publish").map(\.status) == [429, nil, 200])
    try server.restart()
    #expect(try server.sent(to: "replies").count == 2)
    try server.restart(keepingState: false)
    #expect(try server.sent(to: "replies").isEmpty)
    #expect(try curl("\(server.url)/v1/health").contains("true"))
  }

  private static let view: JSONValue = ["action": "view", "label": "Page", "url": "https://a.example/"]
}
