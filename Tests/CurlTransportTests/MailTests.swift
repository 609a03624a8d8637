import BelfryCore
import BelfryTestKit
import CurlTransport
import Foundation
import Testing

@Suite("Mail")
struct MailTests {
  // However busy the machine is, no connection is closed between two mails.
  let transport = CurlTransport(mailIdleLimit: .seconds(3_600))

  @Test("text and HTML come as alternatives in UTF-8, well formed, with the caller's fields in their order")
  func composition() async throws {
    let server = try MailCollector()
    let text = "Buy milk – 漢字 \u{1F95B}\n.\n..dots\n\n" + String(repeating: "long \u{e9} ", count: 500) + "\rlast"
    let html = "<p>Buy <b>milk</b> = \u{1F95B}</p>"
    let reply = try await transport.send(.sample(text: text, html: html), through: .at(server.url))
    #expect(reply == SMTPReply(code: 250, text: "2.0.0 OK", stage: .data))
    let mail = try #require(try server.received().first)
    #expect(mail.sender == "belfry@example.org")
    #expect(mail.recipients == ["you@example.org"])
    #expect(mail.hasOnlyCRLF && mail.longestLine <= 998 && mail.defects.isEmpty, "\(mail.defects)")
    #expect(mail.structure == ["multipart/alternative", "text/plain", "text/html"])
    let lines = (text + "\r\n").replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\n", with: "\r\n")
    #expect(mail.parts.map(\.text) == [lines, html + "\r\n"])
    let names = mail.fields.compactMap(\.first).filter { $0 != "Content-Type" && $0 != "MIME-Version" }
    #expect(names == ["From", "To", "Subject", "Message-ID"])
    #expect(mail.fields.count == 6)
    #expect(mail.field("Message-ID") == "<1@example.org>")
    #expect(mail.field("Subject") == "Groceries")
    #expect(String(decoding: mail.raw, as: UTF8.self).contains("charset=UTF-8"))
  }

  @Test(
    "text that may travel as it is does so; what is no ASCII, a control character or too long a line is encoded",
    arguments: [
      ("Buy milk\n.\n..dots\n\n\ttab\n-- \nFrom me\r\nlast", "7bit"),
      (String(repeating: "x", count: 998) + "\n", "7bit"),
      (String(repeating: "x", count: 999) + "\n", "quoted-printable"),
      ("caf\u{e9}", "quoted-printable"), ("one\n\u{1}two", "quoted-printable"), ("one\u{7f}", "quoted-printable"),
    ])
  func encoding(text: String, expected: String) async throws {
    let server = try MailCollector()
    #expect(try await transport.send(.sample(text: text), through: .at(server.url)).code == 250)
    let mail = try #require(try server.received().first)
    #expect(String(decoding: mail.raw, as: UTF8.self).contains("Content-Transfer-Encoding: \(expected)\r\n"))
    #expect(mail.hasOnlyCRLF && mail.longestLine <= 998 && mail.defects.isEmpty, "\(mail.defects)")
    let lines = text.split(separator: /\r?\n/, omittingEmptySubsequences: false).joined(separator: "\r\n")
    #expect(mail.parts.map(\.text) == [text.hasSuffix("\n") ? lines : lines + "\r\n"])
  }

  @Test("files come after the alternatives, byte for byte")
  func attachments() async throws {
    let server = try MailCollector()
    var mail = Mail.sample(html: "<p>x</p>")
    let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    mail.attachments = [
      .init(name: "item \"1\".ics", contentType: "text/calendar; method=PUBLISH; charset=utf-8", content: bytes),
      .init(name: "empty.bin", contentType: "application/octet-stream", content: []),
    ]
    #expect(try await transport.send(mail, through: .at(server.url)).code == 250)
    let received = try #require(try server.received().first)
    #expect(
      received.structure == [
        "multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/calendar",
        "application/octet-stream",
      ])
    #expect(received.parts.map { Array($0.content) }.suffix(2) == [bytes, []])
    #expect(received.parts.suffix(2).map(\.name) == ["item \"1\".ics", "empty.bin"])
    #expect(received.hasOnlyCRLF && received.longestLine <= 998 && received.defects.isEmpty)
  }

  @Test("a mail of 10 MB and one of nothing arrive")
  func sizes() async throws {
    let server = try MailCollector()
    let text = String(repeating: "0123456789abcdef\n", count: 600_000)
    for text in [text, ""] {
      #expect(try await transport.send(.sample(text: text), through: .at(server.url)).code == 250)
    }
    let received = try server.received()
    #expect(
      received.map(\.structure) == [["multipart/alternative", "text/plain"], ["multipart/alternative", "text/plain"]])
    #expect(received.first?.parts.first?.content.count == text.utf8.count + 600_000)
    #expect(received.last?.parts.first?.content.count == 0)
  }

  @Test("one after the other goes over one connection; eight at once all arrive")
  func reuse() async throws {
    let server = try MailCollector()
    for _ in 1...10 { _ = try await transport.send(.sample(), through: .at(server.url)) }
    #expect(try server.received().map(\.connection) == Array(repeating: 1, count: 10))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<8 {
        group.addTask { try await transport.send(.sample(text: "\(index)"), through: .at(server.url)).code }
      }
      for try await code in group { #expect(code == 250) }
    }
    #expect(Set(try server.received().suffix(8).compactMap { $0.parts.first?.text }).count == 8)
  }

  @Test("a connection that nobody has used for its limit is closed")
  func idle() async throws {
    let transport = CurlTransport(mailIdleLimit: .zero)
    let server = try MailCollector()
    for _ in 1...3 { _ = try await transport.send(.sample(), through: .at(server.url)) }
    #expect(try server.received().map(\.connection) == [1, 2, 3])
  }

  @Test("one refused recipient does not cost the others their mail")
  func refusedRecipient() async throws {
    var configuration = MailCollector.Configuration()
    configuration.refused = [
      "gone@example.org": "550 5.1.1 no such user", "full@example.org": "452 4.2.2 mailbox full",
    ]
    let server = try MailCollector(configuration)
    var replies: [SMTPReply] = []
    for name in ["me", "gone", "full", "you"] {
      replies.append(try await transport.send(.sample(to: "\(name)@example.org"), through: .at(server.url)))
    }
    #expect(
      replies == [
        SMTPReply(code: 250, text: "2.0.0 OK", stage: .data),
        SMTPReply(code: 550, text: "5.1.1 no such user", stage: .recipient),
        SMTPReply(code: 452, text: "4.2.2 mailbox full", stage: .recipient),
        SMTPReply(code: 250, text: "2.0.0 OK", stage: .data),
      ])
    #expect(try server.received().map(\.recipients) == [["me@example.org"], ["you@example.org"]])
  }

  @Test("the trace hears the dialogue")
  func trace() async throws {
    let server = try MailCollector()
    let trace = RecordedTrace()
    let options = TransferOptions(trace: trace.hear)
    _ = try await transport.send(.sample(), through: .at(server.url, options: options))
    for line in ["MAIL FROM:<belfry@example.org>", "RCPT TO:<you@example.org>", "DATA", "Buy milk"] {
      #expect(trace.lines.contains { if case .sent(let text) = $0 { text.hasPrefix(line) } else { false } }, "\(line)")
    }
    #expect(trace.lines.contains(.received("250 2.0.0 OK")))
  }
}

@Suite("Signing in and encryption of mail")
struct MailSecurityTests {
  let transport = CurlTransport()
  let authority: TestAuthority
  let options: TransferOptions
  let password = MailCredential(username: "me", proof: .password("pass word\"é"))

  init() throws {
    authority = try TestAuthority()
    options = TransferOptions(caFile: authority.certificate)
  }

  private func configuration(_ mechanisms: [String] = ["PLAIN", "LOGIN"]) -> MailCollector.Configuration {
    var configuration = MailCollector.Configuration()
    configuration.passwords = ["me": "pass word\"é"]
    configuration.tokens = ["me": "token-1"]
    configuration.mechanisms = mechanisms
    configuration.requiresSTARTTLS = true
    return configuration
  }

  @Test(
    "the way of signing in is one that the server offers",
    arguments: [["PLAIN", "LOGIN"], ["PLAIN"], ["LOGIN"], ["XOAUTH2"]])
  func mechanisms(offered: [String]) async throws {
    let server = try MailCollector(configuration(offered), authority: authority)
    let credential = offered == ["XOAUTH2"] ? MailCredential(username: "me", proof: .token("token-1")) : password
    let place = MailServer.at(server.url, .required, credential, options: options)
    let probed = try await transport.probe(place)
    #expect(probed.code == 235 && probed.stage == .authentication, "\(probed)")
    #expect(try await transport.send(.sample(), through: place).code == 250)
    let mail = try #require(try server.received().first)
    #expect(mail.login == "me" && mail.isEncrypted)
    #expect(try server.received().count == 1)
  }

  @Test("a wrong password or token is the server's word, in its stage", arguments: [["PLAIN"], ["LOGIN"], ["XOAUTH2"]])
  func wrongCredential(offered: [String]) async throws {
    let server = try MailCollector(configuration(offered), authority: authority)
    let credential = MailCredential(
      username: "me", proof: offered == ["XOAUTH2"] ? .token("token-2") : .password("wrong"))
    let place = MailServer.at(server.url, .required, credential, options: options)
    for reply in [try await transport.probe(place), try await transport.send(.sample(), through: place)] {
      #expect(reply.code == 535 && reply.stage == .authentication, "\(reply)")
      #expect(reply.text.hasPrefix("5.7.8"))
    }
    #expect(try server.received().isEmpty)
  }

  @Test("no way of signing in that both know: a failure, and nothing of the credential is said")
  func noMechanism() async throws {
    let server = try MailCollector(configuration(["XOAUTH2"]), authority: authority)
    let trace = RecordedTrace()
    var options = options
    options.trace = trace.hear
    let failed = await failure { [options] () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at(server.url, .required, password, options: options))
    }
    #expect(failed?.kind == .untrusted)
    #expect(!trace.lines.contains { if case .sent(let text) = $0 { text.hasPrefix("AUTH") } else { false } })
  }

  @Test("TLS from the first byte")
  func implicit() async throws {
    var configuration = configuration()
    configuration.requiresSTARTTLS = false
    let server = try MailCollector(configuration, authority: authority, isImplicit: true)
    let place = MailServer.at(server.url, .required, password, options: options)
    #expect(try await transport.send(.sample(), through: place).code == 250)
    #expect(try server.received().first?.isEncrypted == true)
  }

  @Test("a certificate that nobody vouches for: untrusted, however TLS begins")
  func untrusted() async throws {
    for isImplicit in [false, true] {
      let server = try MailCollector(authority: authority, isImplicit: isImplicit)
      for security in [MailServer.Security.required, .opportunistic] {
        let failed = await failure { () async throws(TransferFailure) in
          try await transport.send(.sample(), through: .at(server.url, security))
        }
        #expect(failed?.kind == .untrusted, "\(failed?.reason ?? "")")
      }
      #expect(try server.received().isEmpty)
    }
  }

  @Test("without STARTTLS: required fails, opportunistic goes on, but never with a password")
  func noEncryption() async throws {
    var configuration = configuration()
    configuration.requiresSTARTTLS = false
    configuration.passwords = [:]
    configuration.tokens = [:]
    let server = try MailCollector(configuration)
    for (security, credential) in [
      (MailServer.Security.required, nil), (.required, password), (.opportunistic, password),
    ] {
      let trace = RecordedTrace()
      let place = MailServer.at(server.url, security, credential, options: TransferOptions(trace: trace.hear))
      let failed = await failure { () async throws(TransferFailure) in
        try await transport.send(.sample(), through: place)
      }
      #expect(failed?.kind == .untrusted, "\(failed?.reason ?? "")")
      #expect(!trace.lines.contains { if case .sent(let text) = $0 { text.hasPrefix("AUTH") } else { false } })
    }
    #expect(try server.received().isEmpty)
    #expect(try await transport.send(.sample(), through: .at(server.url, .opportunistic)).code == 250)
    #expect(try await transport.send(.sample(), through: .at(server.url, .none)).code == 250)
    // A connection without encryption that is kept is not for who wants it encrypted.
    let failed = await failure { () async throws(TransferFailure) in
      try await transport.send(.sample(), through: .at(server.url, .required))
    }
    #expect(failed?.kind == .untrusted)
  }

  @Test("opportunistic encrypts where it can")
  func opportunistic() async throws {
    let server = try MailCollector(configuration(), authority: authority)
    let place = MailServer.at(server.url, .opportunistic, password, options: options)
    #expect(try await transport.send(.sample(), through: place).code == 250)
    #expect(try server.received().first?.isEncrypted == true)
  }
}
