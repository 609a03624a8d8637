import Foundation
import Testing

@Suite("belfry web")
struct WebTests {
  private let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:0 }\n", to: "belfry.yaml")
  }

  @Test("it serves until SIGTERM, and ends then with 0")
  func serves() async throws {
    let face = try await box.webFace()
    let url = face.url
    let reply = try await box.shell("curl -sS -i '\(url)/readyz'")
    #expect(reply.output.hasPrefix("HTTP/1.1 200 OK\r\n") && reply.output.hasSuffix("ready\n"), "\(reply)")
    let foreign = try await box.shell("curl -sS -o /dev/null -w '%{http_code}' -H 'Host: evil.example' '\(url)/'")
    #expect(foreign.output == "421")
    #expect(await face.stop() == .exited(0))
    #expect(face.log.hasSuffix("belfry-web: info: stopped\n"))
    #expect(face.log.split(separator: "\n").allSatisfy { $0.hasPrefix("belfry-web: ") }, "\(face.log)")
  }

  @Test("a second one on the same port, and a config that exposes it, are told")
  func refused() async throws {
    let face = try await box.webFace()
    let port = try #require(face.url.split(separator: ":").last)
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:\(port) }\n", to: "belfry.yaml")
    let second = try await box.belfry("web")
    #expect(second.status == 75 && second.messages.contains("another program"), "\(second)")
    #expect(await face.stop() == .exited(0))
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

  @Test("SIGHUP reloads the config; one that it cannot use changes nothing, and says what does")
  func reload() async throws {
    let face = try await box.webFace()
    let status = "curl -sS -o /dev/null -w '%{http_code}' -H 'Host: belfry.example.org' '\(face.url)/healthz'"
    #expect(try await box.shell(status).output == "421")
    let section = "web: { listen: 127.0.0.1:0, public_url: https://belfry.example.org }\n"
    try box.write(Sandbox.defaultConfig + section, to: "belfry.yaml")
    face.process.send(SIGHUP)
    try await face.waitForLog("the config was reloaded\n")
    #expect(try await box.shell(status).output == "200")

    for (config, words) in [
      ("web: { listen: 127.0.0.1:1 }\n", "another web.listen: restart belfry-web"),
      ("web: [\n", "the previous one stays in use"),
    ] {
      try box.write(Sandbox.defaultConfig + config, to: "belfry.yaml")
      face.process.send(SIGHUP)
      try await face.waitForLog(words)
      #expect(try await box.shell(status).output == "200", "\(config)")
    }
    try box.write(section + "store: { type: json, path: other.json }\n", to: "belfry.yaml")
    face.process.send(SIGHUP)
    try await face.waitForLog("another store: restart belfry-web")
    #expect(await face.stop() == .exited(0))
  }

  @Test("the service manager is told when it is ready, reloads, and stops")
  func notified() async throws {
    let socket = try NotifySocket(box.path("notify"))
    let face = try await box.webFace([], RunOptions(environment: ["NOTIFY_SOCKET": socket.address]))
    #expect(try await socket.messages(through: "READY=1") == ["READY=1"])
    face.process.send(SIGHUP)
    let reload = try await socket.messages(through: "READY=1")
    #expect(reload.count == 2 && reload[0].hasPrefix("RELOADING=1\nMONOTONIC_USEC="), "\(reload)")
    #expect(await face.stop() == .exited(0))
    #expect(socket.drain() == ["STOPPING=1"])
  }

  @Test("a socket from the service manager counts before web.listen, and a difference is told")
  func activated() async throws {
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:8787 }\n", to: "belfry.yaml")
    let words = ["/usr/bin/systemd-socket-activate", "-l", box.path("socket"), try Programs.belfry, "web"]
    let log = box.path("log")
    let face = try box.start(bytes: words.map { Array($0.utf8) }, RunOptions(messages: .writing(log)))
    try await waitUntil("the socket is there") { box.files().contains("socket") || !face.isRunning }
    let reply = try await box.shell("curl -sS --unix-socket socket http://localhost/readyz")
    #expect(reply.output == "ready\n", "\(reply) \(box.text("log"))")
    #expect(
      box.text("log").contains(
        "web.listen is 127.0.0.1:8787, but the service manager listens on unix:\(box.path("socket"))"))
    face.send(SIGTERM)
    #expect(await face.end == .exited(0))
  }

  /// The status of pressing the button behind a sign-in link.
  private func press(_ link: String) async throws -> String {
    try await box.shell("curl -sS -o /dev/null -w '%{http_code}' -X POST '\(link)'").output
  }

  @Test("--open prints a sign-in link where no desktop is, once it listens")
  func linkPrinted() async throws {
    var options = RunOptions(output: .writing(box.path("link")))
    options.environment = ["DISPLAY": "", "WAYLAND_DISPLAY": ""]
    let face = try await box.webFace(["--open"], options)
    try await waitUntil("a link is printed") { !box.lines("link").isEmpty }
    let link = try #require(box.lines("link").first)
    #expect(link.hasPrefix("\(face.url)/sign-in/"))
    #expect(try await press(link) == "303")
    #expect(try await press(link) == "410")
    #expect(await face.stop() == .exited(0))
  }

  @Test("--open hands a page with the link to the desktop's browser, which alone can read it")
  func linkOpened() async throws {
    try FileManager.default.createDirectory(atPath: box.path("home/runtime"), withIntermediateDirectories: true)
    try await box.install("#!/bin/sh\ncp -p \"$1\" page && echo $# >words\n", as: "bin/xdg-open")
    var options = RunOptions(output: .writing(box.path("link")))
    options.environment = ["DISPLAY": ":0", "PATH": "\(box.path("bin")):\(Sandbox.searchPath)"]
    let face = try await box.webFace(["--open"], options)
    try await face.waitForLog("opened a browser")
    #expect(box.text("words") == "1\n" && box.text("link").isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: box.path("page"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let link = try #require(box.text("page").firstMatch(of: #/url=([^"]+)"/#)?.1)
    #expect(try await press(String(link)) == "303")

    // Another one makes a link to the first.
    try box.write(Sandbox.defaultConfig + "web: { listen: \(face.url.dropFirst(7)) }\n", to: "belfry.yaml")
    let second = try await box.belfry("web", "--open")
    let other = try #require(second.output.split(separator: "\n").first, "\(second)")
    #expect(second.isDone && second.messages.contains("another program listens on"), "\(second)")
    #expect(try await press(String(other)) == "303")
    #expect(await face.stop() == .exited(0))
  }
}
