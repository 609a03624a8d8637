import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import MessageText
import OrderedJSON
import Testing
import Transport

@testable import EmailSink
import TestSupport

@Suite("Header fields of a mail")
struct HeaderTests {
  /// The header fields of mails as Python decodes them, in order.
  private func reread(_ mails: [Mail]) throws -> [[(name: String, value: String)]] {
    let script = """
      import email, email.policy
      out = []
      for fields in given:
          raw = ''.join(f'{n}: {v}\\r\\n' for n, v in fields) + '\\r\\ntext\\r\\n'
          mail = email.message_from_bytes(raw.encode('ascii'), policy=email.policy.SMTP)
          assert not mail.defects, mail.defects
          out.append([[n, str(v)] for n, v in mail.items()])
      print(json.dumps(out))
      """
    let input = JSONValue.array(
      mails.map { mail in .array(mail.fields.map { .array([.string($0.name), .string($0.value)]) }) })
    return try Python.answer(script, input).arrayValue?.map { fields in
      fields.arrayValue?.map { ($0.arrayValue?[0].stringValue ?? "", $0.arrayValue?[1].stringValue ?? "") } ?? []
    } ?? []
  }

  private let names = [
    "Date", "From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
    "X-Auto-Response-Suppress",
  ]

  @Test("a mail has its fields, the same on every attempt and for each recipient")
  func fields() async throws {
    let content = try Mailing.content()
    let first = try await Mailing.mail(Mailing.attempt([content]))
    let later = try await Mailing.mail(Mailing.attempt([content], lateSeconds: 7_200))
    #expect(first.fields == later.fields)
    #expect(first.fields.map(\.name) == names)
    let id = Sample.uuid("message").text
    let item = UUID(namespace: .belfry, name: "thread item \(Sample.uuid("item 1").text)").text
    let values = Dictionary(uniqueKeysWithValues: first.fields.map { ($0.name, $0.value) })
    #expect(values["Date"] == "Sat, 21 Nov 2026 08:00:00 +0000")
    #expect(values["From"] == "Belfry <belfry@example.org>")
    #expect(values["To"] == "me@example.org")
    #expect(values["Subject"] == "Groceries: Buy milk")
    #expect(values["Message-ID"] == "<\(id)@example.org>")
    #expect(values["In-Reply-To"] == "<\(item)@example.org>" && values["References"] == values["In-Reply-To"])
    #expect(values["Auto-Submitted"] == "auto-generated" && values["X-Auto-Response-Suppress"] == "All")
    #expect(first.sender == "belfry@example.org" && first.recipient == "me@example.org")
  }

  @Test(
    "the urgency stands in fields that mail programs sort by, where it is not the usual one",
    arguments: [
      (.low, "low", "5"), (.normal, nil, nil), (.high, "high", "2"), (.critical, "high", "1"),
    ] as [(Urgency, String?, String?)])
  func urgency(urgency: Urgency, importance: String?, priority: String?) async throws {
    let message = try Sample.message(alert: AlertStyle(urgency: urgency))
    let mail = try await Mailing.mail(Sample.attempt(message, to: "me@example.org"))
    #expect(mail.fields.first { $0.name == "Importance" }?.value == importance)
    #expect(mail.fields.first { $0.name == "X-Priority" }?.value == priority)
  }

  @Test("a message keeps its identity when the config names another sender between two attempts")
  func changedSender() async throws {
    let contents = [try Mailing.content()]
    let old = try await Mailing.mail(Mailing.attempt(contents))
    let settings = try Mailing.settings()
    let domain = Mailing.sink(settings, RecordingMailTransport()).messageDomain
    let message = Message(
      id: Sample.uuid("message"), sink: "mail", contents: contents, createdAt: Sample.now, domain: domain)
    let new = try await Mailing.mail(Sample.attempt(message, to: "me@example.org")) {
      $0.from = try Mailbox("belfry@new.example")
    }
    func value(_ name: String, _ mail: Mail) -> String? { mail.fields.first { $0.name == name }?.value }
    for name in ["Message-ID", "In-Reply-To", "References"] { #expect(value(name, new) == value(name, old), "\(name)") }
    #expect(value("From", new) == "belfry@new.example")
  }

  @Test("mails of one item are of one thread, those of another item of another, and a digest is of none")
  func threads() async throws {
    func thread(_ contents: [ReminderContent]) async throws -> String? {
      try await Mailing.mail(Mailing.attempt(contents)).fields.first { $0.name == "References" }?.value
    }
    let milk = try await thread([try Mailing.content("Buy milk")])
    #expect(milk != nil)
    #expect(try await thread([try Mailing.content("Buy oats", dueIn: 60)]) == milk)
    #expect(try await thread([try Mailing.content(id: 2)]) != milk)
    #expect(try await thread([try Mailing.content(id: 1), try Mailing.content(id: 2)]) == nil)
    #expect(try await thread([try Mailing.listContent(["Saw"])]) != nil)
  }

  @Test("whatever an item's text is, Python reads the intended fields and the original subject")
  func injection() async throws {
    let values =
      try Corpus.injections()
      + [
        "=?utf-8?q?x?= \u{202e}abc", "naïve – 😀 漢字", "\u{feff}x", String(repeating: "漢字 ", count: 200), "a: b", " \t ",
      ]
    var mails: [Mail] = []
    for value in values {
      let content = try Mailing.content(
        value, list: value, notes: value, actions: [CategoryAction(identifier: value, title: value)])
      let mail = try await Mailing.mail(Mailing.attempt([content])) {
        $0.attachesCalendar = true
        $0.to = [
          try Mailbox("me@example.org"), try Mailbox("Zoë, \u{1F600} <you@example.org>".replacing(",", with: "")),
        ]
      }
      #expect(mail.recipient == "me@example.org" && mail.sender == "belfry@example.org")
      #expect(mail.fields.allSatisfy { $0.value.utf8.allSatisfy { (0x20...0x7e).contains($0) } })
      #expect(mail.fields.allSatisfy { $0.name.utf8.count + 2 + $0.value.utf8.count <= 998 })
      #expect(mail.attachments.map(\.name) == ["reminder.ics"])
      mails.append(mail)
    }
    for (fields, value) in zip(try reread(mails), values) {
      #expect(fields.map(\.name) == names)
      let subject = fields.first { $0.name == "Subject" }?.value
      let line = "\(value): \(value)".onOneLine().bounded(toBytes: HeaderText.longestSubject)
      #expect(subject.map { Data($0.utf8) } == Data(line.utf8), "\(subject ?? "none") is not \(line)")
    }
  }

  @Test("encoded-words have at most 75 characters, end with a character, and decode to what they were")
  func encodedWords() throws {
    let vectors = try Corpus.values("mime/rfc2047_vectors.jsonl").compactMap { $0["input"]?.stringValue }
    #expect(vectors.count == (Corpus.isThere ? 59 : 0))
    let texts =
      vectors + [
        String(repeating: "ä", count: 300), String(repeating: "😀", count: 90), String(repeating: "a😀", count: 70),
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "?=?=_ _=", "(\"x\") <y@z>", "é",
        "=?utf-8?q?one?= =?utf-8?q?two?=", "=?utf-8?b?w6k=?=", "=?x-none?q?a?=", "=?utf-8?z?a?=", "=?utf-8?q?open",
        "=??q?a?=", "=?utf-8?q??=", "a =?utf-8?q?_?= b", "=?iso-8859-1*en?q?caf=E9?=", "=?utf-8?q?=C3?=", "= ? = ?",
        "=?utf-8?b?not base64?=", "é =?utf-8?q?a?= é", "漢字=?utf-8?q?a?=", "\u{FFFD}?=",
      ]
    let encoded = texts.map { HeaderText.encoded($0) }
    for words in encoded {
      for word in words.split(separator: " ") {
        #expect(word.utf8.count <= HeaderText.longestWord && word.hasPrefix("=?utf-8?") && word.hasSuffix("?="))
      }
    }
    let script = """
      import email.header
      out = []
      for text in given:
          parts = email.header.decode_header(text)
          for data, charset in parts:
              assert charset is None or data.decode(charset) is not None
          # Each word alone must be whole characters.
          for word in text.split(' '):
              if word: [d.decode(c) for d, c in email.header.decode_header(word)]
          out.append(str(email.header.make_header(parts)) if text else '')
      print(json.dumps(out))
      """
    let decoded = try Python.answer(script, .array(encoded.map { .string($0) })).arrayValue ?? []
    #expect(decoded.count == texts.count)
    for (text, read) in zip(texts, decoded) { #expect(read.stringValue.map { Data($0.utf8) } == Data(text.utf8)) }
  }

  @Test("names in From and To are quoted or encoded as they need it")
  func mailboxes() throws {
    let forms = [
      ("Belfry <a@b.org>", "Belfry <a@b.org>"), ("a@b.org", "a@b.org"),
      ("\"Doe, John\" <a@b.org>", "\"Doe, John\" <a@b.org>"), ("\"a\\\"b\" <a@b.org>", "\"a\\\"b\" <a@b.org>"),
      ("Zoë <a@b.org>", "=?utf-8?Q?Zo=C3=AB?= <a@b.org>"), ("\"=?x\" <a@b.org>", "=?utf-8?B?PT94?= <a@b.org>"),
    ]
    for (text, header) in forms { #expect(HeaderText.mailbox(try Mailbox(text)) == header) }
    let read = try Python.answer(
      """
      import email, email.policy
      out = []
      for text in given:
          mail = email.message_from_string('To: ' + text + '\\r\\n\\r\\n', policy=email.policy.SMTP)
          assert not mail['To'].defects
          out.append([[a.display_name, a.addr_spec] for a in mail['To'].addresses])
      print(json.dumps(out))
      """, .array(forms.map { .string($0.1) }))
    let expected = try forms.map { try Mailbox($0.0) }
    for (list, mailbox) in zip(read.arrayValue ?? [], expected) {
      #expect(list.arrayValue?.count == 1)
      let parts = list.arrayValue?.first?.arrayValue?.compactMap(\.stringValue) ?? []
      #expect(parts == [mailbox.name ?? "", mailbox.address])
    }
  }

  @Test("what goes to the address of a person names that address, and none of the sink's own")
  func person() async throws {
    let attempt = Sample.attempt(try Sample.message(), to: "anna@example.net")
    let mail = try await Mailing.mail(attempt)
    #expect(mail.recipient == "anna@example.net")
    #expect(mail.fields.first { $0.name == "To" }?.value == "anna@example.net")
  }

  @Test("more recipients than a line can hold are not named")
  func manyRecipients() async throws {
    let attempt = Sample.attempt(try Sample.message(), to: "recipient-number-1@example.org")
    let mail = try await Mailing.mail(attempt) {
      $0.to = try (1...60).map { try Mailbox("recipient-number-\($0)@example.org") }
    }
    #expect(mail.fields.first { $0.name == "To" }?.value == "undisclosed-recipients:;")
  }

  @Test(
    "a date is written as RFC 5322 has it",
    arguments: [
      (0, "Thu, 1 Jan 1970 00:00:00 +0000"), (1_795_251_661, "Sat, 21 Nov 2026 09:01:01 +0000"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ])
  func dates(seconds: Int, text: String) {
    #expect(MailFields.date(Date(timeIntervalSince1970: Double(seconds))) == text)
  }
}
