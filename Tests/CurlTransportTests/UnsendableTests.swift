import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("What cannot be sent")
struct UnsendableTests {
  let transport = CurlTransport()

  /// Values that add a line, each with at least one control character.
  static let injections: [String] =
    ((try? Corpus.injections()) ?? []).filter { $0.utf8.contains { $0 < 0x20 } } + ["a\rb", "a\nb", "a\0b", "a\u{7F}b"]

  @Test("the corpus of injections is there")
  func corpus() { #expect(Self.injections.count > 10) }

  @Test("no value adds a header field, a recipient or a command", arguments: injections)
  func injection(value: String) async throws {
    let port = try ServerProcess.freePort()
    let url = "http://127.0.0.1:\(port)/"
    let requests = [
      HTTPRequest.post(url, [HTTPField("X-A", value)]), .post(url, [HTTPField(value, "x")]), .post(url + value),
      HTTPRequest(method: value, url: url, fields: [], body: [], options: TransferOptions()),
    ]
    for request in requests {
      let failed = await failure { () async throws(TransferFailure) in try await transport.send(request) }
      #expect(failed?.kind == .unsendable)
    }
    var mails = Array(repeating: Mail.sample(), count: 6)
    mails[0].sender = value
    mails[1].recipient = value
    mails[2].fields.append(.init("X-A", value))
    mails[3].fields.append(.init(value, "x"))
    mails[4].attachments = [.init(name: value, contentType: "text/plain", content: [])]
    mails[5].attachments = [.init(name: "a", contentType: value, content: [])]
    for mail in mails {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(mail, through: .at("smtp://127.0.0.1:\(port)"))
      }
      #expect(failed?.kind == .unsendable)
    }
    let credentials = [
      MailCredential(username: value, proof: .password("x")), MailCredential(username: "x", proof: .password(value)),
      MailCredential(username: "x", proof: .token(value)),
    ]
    for credential in credentials {
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.probe(.at("smtp://127.0.0.1:\(port)", .none, credential))
      }
      #expect(failed?.kind == .unsendable)
    }
  }

  @Test(
    "other schemes, user info, spaces and nothing at all are no URLs of ours",
    arguments: [
      "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "http://me:secret@example.org/", "http://",
      "http:///x", "", "example.org", "http://exa mple.org/", "https:example.org", "http://[::1", "http://a:b:c/",
    ])
  func urls(url: String) async {
    let sent = await failure { () async throws(TransferFailure) in try await transport.send(.post(url)) }
    #expect(sent?.kind == .unsendable, "\(sent?.reason ?? "")")
    #expect(sent?.reason.contains("secret") == false)
    let mailed = await failure { () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at(url.replacing("http", with: "smtp")))
    }
    #expect(mailed?.kind == .unsendable, "\(mailed?.reason ?? "")")
  }

  @Test(
    "header fields that are the transport's own are refused",
    arguments: ["Content-Length", "transfer-encoding", "Connection", "Expect", "bad name", "bad:name", ""])
  func ownFields(name: String) async {
    let request = HTTPRequest.post("http://127.0.0.1:1/", [HTTPField(name, "1")])
    let failed = await failure { () async throws(TransferFailure) in try await transport.send(request) }
    #expect(failed?.kind == .unsendable)
  }

  @Test(
    "a mail's fields of MIME, in other scripts or beyond a line's length are refused, and brackets in an address",
    arguments: [
      ("Content-Type", "text/html"), ("mime-version", "2.0"), ("Subject", "caf\u{e9}"),
      ("Subject", String(repeating: "x", count: 990)), ("Bad name", "x"), ("recipient", "<a@b.org> SIZE=1"),
      ("recipient", ""), ("sender", "a>b@c.org"),
    ])
  func mailFields(name: String, value: String) async {
    var mail = Mail.sample()
    switch name {
    case "recipient": mail.recipient = value
    case "sender": mail.sender = value
    default: mail.fields.append(.init(name, value))
    }
    let failed = await failure { [mail] () async throws(TransferFailure) in
      try await transport.send(mail, through: .at("smtp://127.0.0.1:1"))
    }
    #expect(failed?.kind == .unsendable)
  }
}
