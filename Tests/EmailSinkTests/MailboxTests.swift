import CivilTime
import ConfigKeys
import OrderedJSON
import Testing
import Transport

@testable import EmailSink
import TestSupport

@Suite("Addresses of mail")
struct MailboxTests {
  @Test(
    "an address, with a name or without",
    arguments: [
      ("me@example.org", nil, "me@example.org"), (" me@example.org ", nil, "me@example.org"),
      ("<me@example.org>", nil, "me@example.org"), ("Belfry <me@example.org>", "Belfry", "me@example.org"),
      ("\"Doe, John\" <j@example.org>", "Doe, John", "j@example.org"),
      ("\"a \\\"b\\\" \\\\c\" <j@example.org>", "a \"b\" \\c", "j@example.org"),
      ("Jürg Müller <j@EXAMPLE.org>", "Jürg Müller", "j@example.org"),
      ("me+tag=x@mail.example.co.uk", nil, "me+tag=x@mail.example.co.uk"), ("root@localhost", nil, "root@localhost"),
      ("me@bücher.example", nil, "me@xn--bcher-kva.example"), ("me@München.DE", nil, "me@xn--mnchen-3ya.de"),
      ("me@mu\u{308}nchen.de", nil, "me@xn--mnchen-3ya.de"), ("me@日本語.jp", nil, "me@xn--wgv71a119e.jp"),
      ("\"two words\"@example.org", nil, "\"two words\"@example.org"), ("a.b.c@x-y.example", nil, "a.b.c@x-y.example"),
      ("John Q. Public <j@example.org>", "John Q. Public", "j@example.org"),
      ("me@[192.168.1.1]", nil, "me@[192.168.1.1]"), ("Me <me@[ipv6:2001:DB8::1]>", "Me", "me@[IPv6:2001:db8::1]"),
      ("\"first(last)\"@example.org", nil, "\"first(last)\"@example.org"),
      ("A <\"a@b, c; <d>\"@example.org>", "A", "\"a@b, c; <d>\"@example.org"),
      ("\"\u{301}x\" <j@example.org>", "\u{301}x", "j@example.org"),
    ])
  func read(text: String, name: String?, address: String) throws {
    let mailbox = try Mailbox(text)
    #expect(mailbox.name == name)
    #expect(mailbox.address == address)
  }

  @Test(
    "what mail cannot carry is refused, saying why",
    arguments: [
      ("", "needs an '@'"), ("me", "needs an '@'"), ("@example.org", "nothing is before"),
      ("me@", "a part of the host's name is empty"), ("me@example..org", "a part of the host's name is empty"),
      ("me@-a.org", "hyphen"), ("me@exa mple.org", "host names cannot have"),
      ("me@exam_ple!.org", "host names cannot have"),
      ("a..b@example.org", "is not a name"), (".a@example.org", "is not a name"), ("a b@example.org", "is not a name"),
      ("jürg@example.org", "beyond ASCII"), ("me(comment)@example.org", "comment"), ("me@example.org (Me)", "comment"),
      ("Me (x) <me@example.org>", "quotation marks"), ("Doe, John <me@example.org>", "quotation marks"),
      ("a@example.org, b@example.org", "one address at a time"), ("a@x.org\nb@y.org", "control character"),
      ("a@x.org\r\nBcc: b@y.org", "control character"), ("Me\u{0} <a@x.org>", "control character"),
      ("Me\u{2028} <a@x.org>", "control character"), ("\"Me <a@x.org>", "no end"), ("Me a@x.org>", "'<' is missing"),
      ("\"Me\" x <a@x.org>", "between"), ("me@💡.org", "host names cannot have"), ("me@a。b", "host names cannot have"),
      ("me@a.\u{301}a.org", "host names cannot have"), ("me@[127.0.0.256]", "in brackets"),
      ("me@[2001:db8::1]", "in brackets"),
      ("me@[]", "in brackets"),
      ("me@[", "in brackets"), ("me@[1.2.3.4", "in brackets"), ("me@[IPv6:1.2.3.4]", "in brackets"),
      ("\"a\"b@example.org", "is not a name"), ("\"a(b)\"(c)@example.org", "comment"),
      ("\"jürg\"@example.org", "beyond ASCII"),
      ("a<\u{301}b <j@example.org>", "beyond ASCII"), ("me@a/b.org", "host names cannot have"),
      (String(repeating: "a", count: 65) + "@example.org", "64"),
      ("a@" + String(repeating: "a", count: 64) + ".org", "63"),
      ("a@" + String(repeating: "abcdefgh.", count: 30) + "org", "253"),
      (String(repeating: "n", count: 300) + " <a@x.org>", "name is longer"),
      ("undisclosed: a@x.org;", "one address at a time"),
    ])
  func refused(text: String, reason: String) {
    #expect {
      try Mailbox(text)
    } throws: { error in
      (error as? ConfigProblem)?.message.contains(reason) == true
    }
  }

  @Test("line breaks are refused in a mailbox's name and address")
  func injection() throws {
    for value in try Corpus.injections() {
      for text in [value, "\(value) <a@example.org>", "\"\(value)\" <a@example.org>", "<\(value)@example.org>"] {
        guard let mailbox = try? Mailbox(text) else { continue }
        let header = HeaderText.mailbox(mailbox)
        #expect(header.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(header)")
      }
    }
  }

  @Test("names of hosts in other scripts become the letters that Python gives them")
  func punycode() throws {
    let labels = [
      "bücher", "ü", "mañana", "правда", "日本語", "例え", "ελληνικά", "한국어", "faß", "naïve-café", "aäöüb",
      "ليهمابتكلموشعربي؟".filter(\.isLetter),
      "3年b組金八先生", "ひとつ屋根の下2",
    ]
    let expected = try Python.answer(
      "print(json.dumps([x.encode('punycode').decode() for x in given]))", .array(labels.map { .string($0) }))
    for (label, encoded) in zip(labels, expected.arrayValue ?? []) {
      #expect(try DomainName(label).ascii == "xn--\(try #require(encoded.stringValue))")
    }
    #expect(expected.arrayValue?.count == labels.count)
  }
}
