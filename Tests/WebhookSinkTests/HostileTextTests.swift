import BelfryEngine
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
import Transport

@testable import BelfryModel
@testable import WebhookSink

@Suite("Hostile texts through the dialects of phones")
struct HostileTextTests {
  private static let formats: [WebhookFormat] = [.gotify, .pushover, .apprise, .homeAssistant, .matrix]
  private static let url = "https://example.org/1/messages.json?token=app&user=anna"

  /// A text, by a name that a log can show.
  struct Text: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String

    static let all = [
      Text("controls", "\u{0}\u{1b}[31m\u{7}\u{85}\u{2028}x"), Text("a field", "a\r\nContent-Length: 0\r\n\r\n{}"),
      Text("directions", "\u{202e}live\u{2066}\u{200b}"),
      Text("members", #""}],"priority":2,"token":"mine","x":[{""#), Text("escapes", #"\u0000\ud800\"#),
      Text("mentions and markup", "@room @everyone <!channel> <b>*x*</b> [x](javascript:1)"),
      Text("one huge character", "a" + String(repeating: "\u{301}", count: 70_000)),
      Text("many characters", String(repeating: "👩‍👩‍👧‍👦", count: 5_000)),
      Text("what is escaped", String(repeating: "\"\\\u{1}\n", count: 20_000)),
      Text("noncharacters", "\u{fffe}\u{ffff}\u{feff}x"),
    ]

    private init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
  }

  private func message(_ text: String) throws -> Message {
    var message = try Sample.message(text: text, listName: text)
    message.contents[0].actions = (1...4).map {
      OfferedAction(identifier: "act\($0)", title: text, operation: .acknowledge)
    }
    return message
  }

  /// The names of the members of an object, and of all objects in it.
  private func names(_ value: JSONValue, _ path: String = "") -> [String] {
    if let elements = value.arrayValue { return elements.flatMap { names($0, path + "[]") } }
    return (value.objectValue?.members ?? []).flatMap { ["\(path).\($0.key)"] + names($0.value, "\(path).\($0.key)") }
  }

  @Test("a text changes no member of a body and no field, and keeps to the limits", arguments: formats, Text.all)
  func hostile(format: WebhookFormat, hostile: Text) async throws {
    let text = hostile.text
    let plain = try await Hooking.request(Sample.attempt(try message("Milk")).linked, url: Self.url) {
      $0.format = format
    }
    let request = try await Hooking.request(Sample.attempt(try message(text)).linked, url: Self.url) {
      $0.format = format
    }
    #expect(request.method == plain.method && request.url == plain.url)
    let fields = [plain, request].map { $0.fields.map { $0.name == "Content-Length" ? "" : "\($0)" } }
    #expect(fields[0] == fields[1])
    let json = try Hooking.json(request)
    #expect(names(json) == names(try Hooking.json(plain)))
    if format == .pushover { #expect(json["token"] == "app" && json["user"] == "anna" && json["priority"] == 0) }
    for line in [json["title"], json["url_title"]].compactMap({ $0?.stringValue }) {
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
    }
    // The longest that each service documents, or a phone is sent.
    let longest: [WebhookFormat: Int] = [.homeAssistant: 4_096, .matrix: 65_536 / 2]
    #expect(request.body.count <= longest[format] ?? 32_000, "\(request.body.count)")
    if let title = json["title"]?.stringValue { #expect(title.unicodeScalars.count <= 250) }
    let shown = try #require((json["message"] ?? json["body"])?.stringValue)
    if format == .pushover { #expect(shown.unicodeScalars.count <= 1_024) }
    #expect(!shown.isEmpty)
    #expect((json["data"]?["actions"]?.arrayValue ?? []).count <= 3)
  }
}
