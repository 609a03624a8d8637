import Foundation
import Testing
import TestSupport

@Suite("Links in messages")
struct LinksTests {
  private static let web = "web: { public_url: https://belfry.example.org }\n"
  private static let keys = "home/state/belfry/answer-keys"

  private func links(_ text: String) -> [String] {
    text.matches(of: #/(answer_url|token)":"([^"]*)"/#).map { String($0.output.2) }
  }

  // The first byte of a token: version 1 in the upper three bits, and the number of the key.
  private func firstByte(of token: String) -> UInt8? {
    let text = String(token.prefix(4)).replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: text)?.first
  }

  @Test("the attempts of a delivery carry the same links, also across a rotation; the next message has the new key's")
  func rotated() async throws {
    let server = try HTTPCollector(answers: [.init(503, fields: ["Retry-After": "7200"]), .init(204)])
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"], more: Self.web)
    try await box.addDueItems(["Milk"])
    #expect(try await box.belfry("run", "--once").status == 75)
    #expect(try await box.belfry("keys", "rotate").isDone)
    #expect(try await box.belfry("run", "--once", options: .at("+3h")).isDone)
    let bodies = try server.received().map(\.text)
    try #require(bodies.count == 2)
    let withoutLateness = bodies.map { $0.replacing(#/"late_seconds":\d+/#, with: "") }
    #expect(withoutLateness[0] == withoutLateness[1])
    let found = links(bodies[0])
    #expect(found.count == 3 && found[0].hasPrefix("https://belfry.example.org/a/"), "\(found)")
    #expect(found.allSatisfy { $0.split(separator: "/").last?.count == 54 })
    try await box.addDueItems(["Bread"])
    #expect(try await box.belfry("run", "--once").isDone)
    #expect(found.dropFirst().allSatisfy { firstByte(of: $0) == 0x20 })
    #expect(links(try #require(try server.received().last).text).dropFirst().allSatisfy { firstByte(of: $0) == 0x21 })
  }

  @Test("without a public URL, and switched off, there are no links and no keys", arguments: [true, false])
  func off(hasURL: Bool) async throws {
    let server = try HTTPCollector()
    let box = try Sandbox(
      sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"],
      more: hasURL ? Self.web + "answers: { links: false }\n" : "")
    try await box.addDueItems(["Milk"])
    #expect(try await box.belfry("run", "--once").isDone)
    let body = try #require(try server.received().first).text
    #expect(!body.contains("answer_url") && !body.contains("token"))
    #expect(!FileManager.default.fileExists(atPath: box.path(Self.keys)))
  }

  @Test("the standard output shows no token", arguments: ["text", "json"])
  func stdout(format: String) async throws {
    let box = try Sandbox(sinks: ["out: { type: stdout, format: \(format) }"], more: Self.web)
    try await box.addDueItems(["Milk"])
    let outcome = try await box.belfry("run", "--once")
    #expect(outcome.isDone && outcome.output.contains("Milk"))
    #expect(!outcome.output.contains("/a/") && !outcome.output.contains("token"))
    #expect(FileManager.default.fileExists(atPath: box.path(Self.keys)))
  }

  @Test("when the keys are lost, reminders ring on time without links, the log and doctor say so, and a copy mends it")
  func lost() async throws {
    let server = try HTTPCollector()
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"], more: Self.web)
    try await box.addDueItems(["Milk"])
    #expect(try await box.belfry("run", "--once").isDone)
    let copy = box.data(Self.keys)
    try FileManager.default.removeItem(atPath: box.path(Self.keys))
    try await box.addDueItems(["Bread", "Oats"])
    let outcome = try await box.belfry("run", "--once")
    #expect(outcome.isDone, "\(outcome)")
    let lines = outcome.messages.split(separator: "\n").filter { $0.contains("without links") }
    #expect(lines.count == 1 && lines[0].contains(Self.keys), "\(outcome)")
    #expect(try server.received().map { links($0.text).count } == [3, 0, 0])
    #expect(!FileManager.default.fileExists(atPath: box.path(Self.keys)))
    let doctor = try await box.belfry("doctor")
    #expect(doctor.status != 0 && doctor.output.contains(Self.keys), "\(doctor)")
    try box.write(copy, to: Self.keys)
    #expect(chmod(box.path(Self.keys), 0o600) == 0)
    try await box.addDueItems(["Rice"])
    #expect(try await box.belfry("run", "--once").isDone)
    #expect(try links(#require(try server.received().last).text).count == 3)
  }

  @Test("a server that sends back what it got puts no token into the log, the store or any output")
  func echo() async throws {
    let server = try HTTPCollector(answers: [.init(500, body: "invalid: {{request}}")])
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"], more: Self.web)
    try await box.addDueItems(["Milk"])
    let outcome = try await box.belfry("run", "--once")
    #expect(outcome.status == 75, "\(outcome)")
    let told = try await [
      outcome.messages, box.belfry("deliveries", "--json").output, box.belfry("explain", "1").output,
      box.belfry("deliveries").output,
    ]
    let tokens = links(try #require(try server.received().first).text).compactMap { $0.split(separator: "/").last }
    #expect(tokens.count == 3)
    #expect(told[0].contains("HTTP 500: invalid: ") && told[0].contains("<redacted>"), "\(told)")
    for text in told {
      for token in tokens { #expect(!text.contains(token.suffix(12)) && !text.contains(token.prefix(12)), "\(text)") }
    }
    let store = String(decoding: box.data("store.sqlite") + box.data("store.sqlite-wal"), as: UTF8.self)
    for token in tokens { #expect(!store.contains(token.suffix(20))) }
  }
}
