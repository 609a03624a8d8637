import BelfryEngine
import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("Mail")
struct MailTests {
  // Long, so that no connection is closed between two mails on a busy machine.
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
    "text that may travel as it is does so; what is no ASCII, a control character, too long or a mailbox's is encoded",
    arguments: [
      ("Buy milk\n.\n..dots\n\n\ttab\n-- \nFromage\r\nlast", "7bit"),
      (" From me\nfrom me\n>From me", "7bit"), ("Hello\nFrom me \nto you\t\nFrom \n=46rom", "quoted-printable"),
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

  @Test("no line of a mail begins as the line between two mails of a mailbox file, wherever a line is broken")
  func mailboxLines() async throws {
    let server = try MailCollector()
    let afterBreaks = (0..<6).map { String(repeating: "é", count: 12) + String(repeating: "x", count: $0) + " From me" }
    let atBreaks = (68..<80).map { String(repeating: "x", count: $0) + "From me é" }
    let texts = afterBreaks + atBreaks + ["From é\r\nFrom me"]
    for text in texts {
      #expect(try await transport.send(.sample(text: text, html: text), through: .at(server.url)).code == 250)
    }
    let received = try server.received()
    #expect(received.count == texts.count)
    for (mail, text) in zip(received, texts) {
      let lines = String(decoding: mail.raw, as: UTF8.self).components(separatedBy: "\r\n")
      #expect(!lines.contains { $0.hasPrefix("From ") }, "\(text)")
      #expect(lines.allSatisfy { $0.utf8.count <= 76 || !$0.contains("xxxx") && !$0.contains("=C3") }, "\(lines)")
      #expect(mail.hasOnlyCRLF && mail.defects.isEmpty, "\(mail.defects)")
      #expect(mail.parts.map(\.text) == [text + "\r\n", text + "\r\n"])
    }
  }

  @Test("long fields come on lines of at most 76 characters, and say what they said")
  func folding() async throws {
    let server = try MailCollector()
    var mail = Mail.sample()
    let words = (1...9).map { "=?utf-8?B?\(Data("wort \($0) straße straße straße".utf8).base64EncodedString())?=" }
    let plain = "Groceries:  two  spaces and \(String(repeating: "many words ", count: 20))end"
    mail.fields = mail.fields.map { $0.name == "Subject" ? .init("Subject", words.joined(separator: " ")) : $0 }
    mail.fields.append(.init("X-Plain", plain))
    mail.fields.append(.init("X-Long", String(repeating: "x", count: 300)))
    #expect(try await transport.send(mail, through: .at(server.url)).code == 250)
    let received = try #require(try server.received().first)
    let head = String(decoding: received.raw, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
    let lines = head.components(separatedBy: "\r\n")
    #expect(
      lines.allSatisfy { $0.utf8.count <= 76 || $0.hasPrefix("X-Long: xxx") || $0.hasPrefix("Content-Type") }, "\(head)"
    )
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") && !$0.trimmingCharacters(in: .whitespaces).isEmpty }, "\(head)")
    let subject = (1...9).map { "wort \($0) straße straße straße" }.joined()
    #expect(received.field("Subject") == subject && received.field("X-Plain") == plain)
    #expect(received.hasOnlyCRLF && received.defects.isEmpty && received.field("From") != nil)
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
