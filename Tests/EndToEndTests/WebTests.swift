import Foundation
import Testing

@Suite("belfry web")
struct WebTests {
  private let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:0 }\n", to: "belfry.yaml")
  }

  /// Starts the web face and waits until it listens.
  private func start(log: String) async throws -> (child: ChildProcess, url: String) {
    let words = [try Programs.belfry, "web"].map { Array($0.utf8) }
    let child = try box.start(bytes: words, RunOptions(messages: .writing(box.path(log))))
    var url: String?
    try await waitUntil("the web face listens") {
      url = box.text(log).firstMatch(of: #/listening on (127\.0\.0\.1:\d+)\n/#).map { "http://\($0.1)" }
      return url != nil || !child.isRunning
    }
    return (child, try #require(url, "\(box.text(log))"))
  }

  @Test("it serves until SIGTERM, and ends then with 0")
  func serves() async throws {
    let (child, url) = try await start(log: "log")
    let reply = try await box.shell("curl -sS -i '\(url)/readyz'")
    #expect(reply.output.hasPrefix("HTTP/1.1 200 OK\r\n") && reply.output.hasSuffix("ready\n"), "\(reply)")
    let foreign = try await box.shell("curl -sS -o /dev/null -w '%{http_code}' -H 'Host: evil.example' '\(url)/'")
    #expect(foreign.output == "421")
    child.send(SIGTERM)
    #expect(await child.end == .exited(0))
    #expect(box.text("log").hasSuffix("belfry-web: info: stopped\n"))
  }

  @Test("a second one on the same port, and a config that exposes it, are told")
  func refused() async throws {
    let (child, url) = try await start(log: "log")
    let port = try #require(url.split(separator: ":").last)
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:\(port) }\n", to: "belfry.yaml")
    let second = try await box.belfry("web")
    #expect(second.status == 75 && second.messages.contains("another program"), "\(second)")
    child.send(SIGTERM)
    #expect(await child.end == .exited(0))
    try box.write(Sandbox.defaultConfig + "web: { listen: 0.0.0.0:80 }\n", to: "belfry.yaml")
    let exposed = try await box.belfry("web")
    #expect(exposed.status == 78 && exposed.messages.contains("belfry.yaml:3:16: error: listening on"), "\(exposed)")
  }

  @Test("what it does not understand ends with 64, and its version is that of belfry")
  func usage() async throws {
    let wrong = try await box.belfry("web", "--port", "80")
    #expect(wrong.status == 64, "\(wrong)")
    let program = try Programs.belfryWeb
    let unknown = try await box.run([program, "--nonsense"], RunOptions())
    #expect(unknown.status == 64, "\(unknown)")
    let version = try await box.run([program, "--version"], RunOptions())
    let belfry = try await box.belfry("--version")
    #expect(version.isDone && version.output == belfry.output, "\(version)")
  }
}
