import Foundation
import Glibc
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("Sign-in links by mail")
struct SignInRequestTests {
  private static let people = """
      mail: {type: email, url: "smtp://mail.example.org", from: belfry@example.org, to: [team@example.org], tls: none}
    people:
      anna: {sinks: [screen, mail], address: anna@example.org}
      Ben: {sinks: [mail], address: ben@example.org}
      ben: {sinks: [mail], address: b@example.org}
      cleo: {sinks: [mail]}
      dora: {sinks: [screen], address: dora@example.org}
    """
  private static let sameOrigin = "Sec-Fetch-Site: same-origin\r\n"

  private let daemon: ScriptedDaemon
  private let server: Server
  /// The calls of the script, one line each; reading waits for it.
  private let asked: String

  init() throws {
    let daemon = try ScriptedDaemon()
    let asked = daemon.folder.file("asked")
    try #require(mkfifo(asked, 0o600) == 0)
    (self.daemon, self.asked) = (daemon, asked)
    server = try daemon.api("echo \"$*\" > '\(asked)'", config: Self.people).server
  }

  private func ask(_ person: String, _ fields: String = sameOrigin) async throws -> Reply {
    try await server.post("/sign-in", fields, body: "person=\(FormFields.encoded(person))")
  }

  /// The names for which belfryd was asked for a link since the last call, at least one.
  private func askedFor() async throws -> [String] {
    let read = try await onThread { [asked] in try FileHandle(forReadingFrom: URL(filePath: asked)).readToEnd() }
    let lines = String(decoding: read ?? Data(), as: UTF8.self)
    let end = " --origin=http://\(server.address) --config=\(daemon.config)"
    return lines.split(separator: "\n").map { line in
      line.hasPrefix("--send-link=") && line.hasSuffix(end)
        ? String(line.dropFirst(12).dropLast(end.count)) : "unexpected: \(line)"
    }
  }

  @Test("a person is known by name or address; whoever asks gets the same reply for everybody")
  func reply() async throws {
    let known = try await ask("anna")
    #expect(known.status == 202 && known.body.contains("a link is on its way"), "\(known)")
    #expect(try await askedFor() == ["anna"])
    for other in ["nobody", "cleo", "dora", "BEN", "anna"] {
      let reply = try await ask(other)
      let body = reply.body.replacing("&#39;\(other)&#39;", with: "&#39;anna&#39;")
      #expect(reply.status == 202 && body == known.body, "\(other)")
    }
    for (text, person) in [(" B@Example.org ", "ben"), ("Ben", "Ben")] {
      #expect(try await ask(text).status == 202)
      #expect(try await askedFor() == [person])
    }
    #expect(try await ask("<b>").body.contains("&#39;&lt;b&gt;&#39;"))
  }

  @Test("a person gets one link a minute")
  func pause() async throws {
    _ = try await ask("anna")
    #expect(try await askedFor() == ["anna"])
    server.time.advance(by: 59)
    _ = try await ask("ANNA@example.org")
    _ = try await ask("ben")
    #expect(try await askedFor() == ["ben"])
    server.time.advance(by: 1)
    _ = try await ask("anna")
    #expect(try await askedFor() == ["anna"])
  }

  @Test("a page of another site asks for nothing, nor does an empty form, nor one where nobody can be mailed to")
  func refused() async throws {
    #expect(try await ask("anna", "Sec-Fetch-Site: cross-site\r\n").status == 403)
    #expect(try await ask(" ").status == 422)
    #expect(try await ask("anna\nben").status == 422)
    #expect(try await ask(String(repeating: "a", count: 5_000)).status == 413)
    let plain = try ScriptedDaemon().api("exit 0").server
    #expect(try await plain.post("/sign-in", body: "person=anna").status == 404)
    #expect(try await !plain.get("/sign-in", RungReminder.browser).body.contains("action=\"/sign-in\""))
  }

  @Test("a failure is for the log alone")
  func failure() async throws {
    let daemon = try ScriptedDaemon()
    let failing = try daemon.api("echo 'belfryd: mail: 550 no' >&2; exit 69", config: Self.people).server
    #expect(try await failing.post("/sign-in", Self.sameOrigin, body: "person=anna").status == 202)
    while failing.log.isEmpty { await Task.yield() }
    #expect(failing.log.map(\.message) == ["no sign-in link was sent to 'anna': belfryd: mail: 550 no"])
  }

  @Test("who is not signed in is led to the form, which names the person whose link or session it was")
  func pages() async throws {
    let lost = try await server.get("/", RungReminder.browser)
    #expect(lost.status == 401 && lost.body.contains("<a href=\"/sign-in\">Sign in</a>"))
    #expect(try await server.get("/sign-in/x", RungReminder.browser).body.contains("<a href=\"/sign-in\">"))
    let form = try await server.get("/sign-in", RungReminder.browser).body
    #expect(form.contains("action=\"/sign-in\"") && form.contains("value=\"\"") && form.contains("Or run"))
    let now = server.time.now
    let link = try server.access.makeLink(for: .person("anna"), at: now)
    let session = try #require(try server.access.openSession(link: link, lasting: 60, at: now))
    let own = try await server.get("/sign-in", "Cookie: belfry=\(session)\r\n\(RungReminder.browser)").body
    #expect(own.contains("value=\"anna\""))
    let destination = Destination(reminder: UUID(), action: nil, person: "cleo")
    let next = try server.access.keep(destination, until: now.addingTimeInterval(60), at: now)
    let led = try await server.get("/sign-in", "Cookie: belfry-next=\(next)\r\n\(RungReminder.browser)").body
    #expect(led.contains("value=\"cleo\""))
  }
}
