import Foundation
import Testing

@Suite("Requests in the documentation")
struct DocumentedRequestTests {
  @Test("every request that a page shows does what it is for")
  func requests() async throws {
    let box = try Sandbox()
    try box.write(Sandbox.defaultConfig + "web: { listen: '127.0.0.1:0' }\n", to: "belfry.yaml")
    let added = try await box.belfry("access", "add", "laptop", "--scope", "admin")
    let face = try await box.webFace()
    var options = RunOptions()
    options.environment = ["PATH": Sandbox.searchPath, "TOKEN": added.output.trimmingCharacters(in: .newlines)]
    let lines = try Documentation.pages.flatMap { try Documentation.requests(of: $0) }
    try #require(lines.count > 1)
    for line in lines {
      let request = line.replacing("curl ", with: "curl -sS --fail-with-body ", maxReplacements: 1)
      let outcome = try await box.shell(request.replacing("http://localhost:8787", with: face.url), options: options)
      #expect(outcome.isDone, "\(line): \(outcome)")
    }
    let texts = try await box.json("show").elements?.map { $0["text"] }
    #expect(texts?.contains(.text("Buy milk")) == true, "\(String(describing: texts))")
    _ = await face.stop()
  }
}
