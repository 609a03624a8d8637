import Foundation
import TestSupport
import Testing

/// The way of an answer with real parts: a mail server, a mail, a browser, a proxy.
@Suite("From the mail over the browser to the answer")
struct MailedLinkTests {
  private static let reader = """
    import email, email.policy, json, re, sys
    for name in sys.argv[1:]:
        mail = email.message_from_binary_file(open(name, 'rb'), policy=email.policy.default)
        text = mail.get_body(('plain',)).get_content()
        print(json.dumps(dict(subject=mail['Subject'], link=re.search(r'https?://\\S+', text)[0])))
    """

  private func mails(_ server: PostfixServer, _ box: Sandbox) async throws -> [JSON] {
    let read = try await box.python(Self.reader, try server.mails())
    try #require(read.isDone, "\(read)")
    return try read.output.split(separator: "\n").map { try JSON(String($0)) }
  }

  @Test(
    "a press of the button of a mail's link checks the item and ends its nag, also behind a proxy with TLS",
    .enabled(if: getuid() == 0, "Postfix is started by root"), arguments: [false, true])
  func pressed(isBehindProxy: Bool) async throws {
    let postfix = try PostfixServer()
    let authority = try TestAuthority()
    let identity = try authority.identity()
    var proxy: NginxServer?
    let box = try Sandbox()
    let sink = Sandbox.mailSink(postfix.url)
    let face = try await box.linkedWebFace("store: { type: sqlite, path: store.sqlite }\nsinks: { \(sink) }") { face in
      guard isBehindProxy else { return face.url }
      let server = try NginxServer(.tls(authority), showing: identity, passingTo: face.url)
      proxy = server
      return server.url
    }
    try await box.addDueItems(["Milk", "Bread"], "--nag", "30m")
    let daemon = try await box.daemon()
    try await waitUntil("both mails are delivered: \(postfix.log)") { try postfix.mails().count == 2 }
    let mail = try #require(try await mails(postfix, box).first { $0["subject"] == .text("Inbox: Milk") })
    let link = try #require(mail["link"]?.text)
    #expect(link.hasPrefix("\(proxy?.url ?? face.url)/a/"))

    let trusted = isBehindProxy ? [identity.certificate] : []
    let page = try #require(try await box.fixture("browser.py", ["press", "Done", link] + trusted).first)
    #expect(page["text"]?.text?.contains("Checked 'Milk'.") == true, "\(page)")
    #expect(page["text"]?.text?.contains("Take it back") == true, "\(page)")
    #expect(try await box.ids("show") == [2])
    let answer = try #require(try await box.json("answers").elements?.first)
    #expect(answer["channel"] == .text("link") && answer["action"] == .text("done"))
    #expect(await daemon.stop().end == .exited(0))
    if let log = proxy?.accessLog {
      #expect(log.contains { $0.hasPrefix("200 POST /a/") && $0.contains(" HTTP/2.0 ") }, "\(log)")
    }

    // Half an hour later only reminders without an answer ring again.
    #expect(try await box.json("pending").elements?.compactMap { $0["item_id"] } == [.integer(2)])
    #expect(try await box.belfry("run", "--once", options: .at("+40m")).isDone)
    try await waitUntil("the nag is delivered: \(postfix.log)") { try postfix.mails().count == 3 }
    let subjects = try await mails(postfix, box).compactMap { $0["subject"]?.text }
    #expect(subjects.filter { $0.contains("Milk") }.count == 1 && subjects.filter { $0.contains("Bread") }.count == 2)
    let answered = try await box.deliveries(of: "mail").filter { $0["item_id"] == .integer(1) }
    #expect(answered.count == 1 && answered.first?["attempts"] == .integer(1), "\(answered)")
    withExtendedLifetime((authority, proxy)) {}
  }
}
