import Foundation
import Testing
import TestSupport

@Suite("Sign-in links by mail, by the built programs")
struct SignInLinkTests {
  private func sandbox(_ server: MailCollector) throws -> Sandbox {
    try Sandbox(
      sinks: [Sandbox.mailSink(server.url)],
      more: "people: { anna: { sinks: [mail], address: anna@example.org } }\nweb: { listen: 127.0.0.1:0 }\n")
  }

  private func post(_ face: RunningWebFace, _ path: String, _ fields: String = "") async throws -> WebReply {
    try #require(try await face.post(path, fields, as: .page, headers: ["Sec-Fetch-Site: same-origin"]))
  }

  @Test("asked for on the page, it arrives, signs in once, and stands in no log; an unknown person gets the same reply")
  func wholeWay() async throws {
    let server = try MailCollector()
    let box = try sandbox(server)
    let face = try await box.webFace()
    let lost = try #require(try await face.get("/"))
    #expect(lost.status == 401 && lost.body.contains("href=\"/sign-in\""))
    #expect(try #require(try await face.get("/sign-in")).body.contains("Send me a link"))

    let unknown = try await post(face, "/sign-in", "person=nobody")
    let known = try await post(face, "/sign-in", "person=anna")
    #expect(known.status == 202 && unknown.body.replacing("nobody", with: "anna") == known.body)
    #expect(unknown.status == 202)
    // A second one within the minute sends nothing.
    #expect(try await post(face, "/sign-in", "person=anna").body == known.body)
    try await face.waitForLog("a sign-in link was sent to 'anna'\n")

    let mails = try server.received()
    let mail = try #require(mails.first)
    #expect(mails.count == 1 && mail.recipients == ["anna@example.org"] && mail.defects == [] && mail.hasOnlyCRLF)
    let text = try #require(mail.parts.first).text
    let link = try #require(text.firstMatch(of: #/(http:\/\/127\.0\.0\.1:\d+)(\/sign-in\/[\w-]{43})\s/#), "\(text)")
    #expect(String(link.1) == face.url)
    let path = String(link.2)
    #expect(try #require(try await face.get(path)).status == 200)
    let signedIn = try await post(face, path)
    #expect(signedIn.status == 303 && signedIn.fields["location"] == "/")
    #expect(try await post(face, path).status == 410)
    let access = try #require(try await box.json("access", "list").elements?.first)
    #expect(access["person"] == .text("anna") && access["scope"] == .text("edit") && access["kind"] == .text("session"))

    let secret = path.suffix(43)
    #expect(!face.log.contains(secret) && !face.log.contains("nobody"), "\(face.log)")
    #expect(try await box.json("deliveries") == .array([]))
    #expect(await face.stop() == .exited(0))
  }

  @Test("a server that refuses it is told in the log, and the page says what it always says")
  func refused() async throws {
    var configuration = MailCollector.Configuration()
    configuration.refused = ["anna@example.org": "550 5.1.1 no such user"]
    let server = try MailCollector(configuration)
    let box = try sandbox(server)
    let face = try await box.webFace()
    #expect(try await post(face, "/sign-in", "person=anna").status == 202)
    try await face.waitForLog("no sign-in link was sent to 'anna'")
    #expect(face.log.contains("mail (anna@example.org)") && face.log.contains("550"), "\(face.log)")
    #expect(await face.stop() == .exited(0))
  }
}
