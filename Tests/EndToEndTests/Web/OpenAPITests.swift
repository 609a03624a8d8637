import Foundation
import TestSupport
import Testing

@Suite("The web API, by checkers of others")
struct OpenAPITests {
  private let box: Sandbox

  init() async throws {
    box = try Sandbox()
    try box.write(Sandbox.defaultConfig + "web: { listen: '127.0.0.1:0' }\n", to: "belfry.yaml")
    let texts = (1...20).map { "Item \($0)" }.joined(separator: "\n")
    try await box.belfry("add", "-", "-l", "Home", "--create", "--due", "in 3 hours", options: .input(texts))
      .requireDone()
    try await box.belfry("add", "-", "-l", "Work", "--create", options: .input(texts)).requireDone()
  }

  /// A program of the Python environment of the tests.
  private static func checker(_ name: String) -> String { Checkout.file(".build-python/bin/\(name)").path }

  @Test("its description is a valid one of OpenAPI, and every reply to what schemathesis sends is as it says")
  func replies() async throws {
    let face = try await box.webFace()
    let document = try #require(try await face.get("/api/openapi.json", as: .json)?.body)
    try box.write(document, to: "openapi.json")
    let valid = [Self.checker("python"), "-m", "openapi_spec_validator", "openapi.json"]
    let checked = try await box.run(valid, RunOptions())
    #expect(checked.isDone, "\(checked)")
    let token = try await box.belfry("access", "add", "checker", "--scope", "admin").output
    let words = [
      Self.checker("schemathesis"), "--config-file", Programs.fixture("schemathesis.toml"), "run",
      "\(face.url)/api/openapi.json", "--no-color", "--header",
      "Authorization: Bearer \(token.trimmingCharacters(in: .newlines))",
      // It sends a cookie along, behind which only requests of Belfry's own pages change something.
      "--header", "Origin: \(face.url)",
    ]
    let outcome = try await box.run(words, RunOptions(isUrgent: true))
    #expect(outcome.isDone, "\(outcome.output.suffix(20_000))")
    #expect(try await face.get("/readyz")?.status == 200)
    #expect(await face.stop() == .exited(0) && !face.log.contains("error:"), "\(face.log.suffix(4_000))")
  }

  @Test("a client that takes gzip gets the same texts, shorter")
  func compressed() async throws {
    let face = try await box.webFace()
    let token = try await box.belfry("access", "add", "reader", "--scope", "read").output
    try box.write("header = \"Authorization: Bearer \(token.trimmingCharacters(in: .newlines))\"\n", to: "access")
    for path in ["/", "/lists/1", "/api/v1/items", "/api/v1/export?format=ics", "/api/openapi.json"] {
      let curl = "curl -sS -f -K access '\(face.url)\(path)'"
      let plain = try await box.shell("\(curl) -o plain -w '%{size_download}'")
      let short = try await box.shell("\(curl) --compressed -o short -w '%{size_download}'")
      let sizes = try #require([Int(plain.output), Int(short.output)] as? [Int], "\(plain) \(short)")
      #expect(sizes[1] < sizes[0] / 2 && box.data("plain") == box.data("short"), "\(path) \(sizes)")
    }
    #expect(await face.stop() == .exited(0))
  }
}
