import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MessageText
import MustacheTemplates
import OrderedJSON
import Testing

@testable import EmailSink
import TestSupport

@Suite("What a mail says")
struct EmailContentTests {
  private let actions = [
    CategoryAction(identifier: "ok", title: "OK, got it"),
    CategoryAction(identifier: "clear out", title: "Delete <list>", operation: .clearList, isDestructive: true),
  ]

  @Test("the text says what is due, on which list, when in the item's zone, and what can be done")
  func text() async throws {
    let content = try Mailing.content("Buy milk", notes: "Two bottles.\r\nCold.", dueIn: 50, actions: actions)
    let id = content.reminderID.text
    #expect(
      try await Mailing.mail(Mailing.attempt([content])).text == """
        Buy milk

        List:  Groceries
        Due:   in 50 min – Saturday, 21 November 2026 at 09:50 CET (Europe/Zurich)

        Two bottles.
        Cold.

        OK, got it:  belfry act \(id) ok
        Delete <list> (destructive):  belfry act \(id) 'clear out'

        -- 
        Belfry

        """)
  }

  @Test("a test offers no commands, since there is no such item")
  func test() async throws {
    let mail = try await Mailing.mail(Mailing.attempt([ReminderContent(test: try Mailing.content())]))
    #expect(mail.text.contains("Buy milk") && !mail.text.contains("belfry"), "\(mail.text)")
    #expect(mail.html?.contains("Buy milk") == true && mail.html?.contains("belfry ") == false)
    let content = try Mailing.content()
    let command = "belfry act \(content.reminderID.text) done"
    #expect(try await Mailing.mail(Mailing.attempt([content])).text.contains(command))
  }

  @Test("a subject that a template leaves empty is the ordinary one")
  func emptySubject() async throws {
    let mail = try await Mailing.mail(Mailing.attempt([try Mailing.content()])) {
      $0.subject = try Template("{{item.notes}} {{nosuch}}\n", escaping: .text, language: MustacheLanguage())
    }
    #expect(mail.fields.first { $0.name == "Subject" }?.value == "Groceries: Buy milk")
  }

  @Test("how late a reminder is stands in text and HTML, counted at each attempt")
  func late() async throws {
    let mail = try await Mailing.mail(Mailing.attempt([try Mailing.content()], lateSeconds: 7_500))
    #expect(
      mail.text.contains("Due:   2 h 5 min ago – ") && mail.text.contains("Late:  this reminder is 2 h 5 min late"))
    #expect(mail.html?.contains("This reminder is 2 h 5 min late") == true)
    let onTime = try await Mailing.mail(Mailing.attempt([try Mailing.content()], lateSeconds: 59))
    #expect(!onTime.text.contains("Late:") && onTime.text.contains("Due:   now"))
  }

  private let me = "me@example.org"

  @Test("a step of an escalation says who has not answered, in text and HTML")
  func escalation() async throws {
    let mail = try await Mailing.mail(
      Sample.attempt(try Sample.step(asked: ["a<b", "ben"], people: ["a<b", "ben"]), to: me))
    #expect(
      mail.text.hasPrefix("Buy milk\n\nA<b and Ben have not answered since 07:50 (step 2 of 3)\n\nList:  Groceries\n"))
    #expect(mail.html?.contains("A&lt;b and Ben have not answered since 07:50 (step 2 of 3)</p>") == true)
    let first = try await Mailing.mail(Sample.attempt(try Sample.step(1, asked: [], people: []), to: me))
    #expect(!first.text.contains("answered") && first.html?.contains("answered") == false)
  }

  @Test("the news of an answer is a short mail in the same thread, whatever the templates say of reminders")
  func news() async throws {
    let fired = try Sample.step()
    let answered = Sample.update(of: fired, to: .answered)
    let words = "'Buy milk' was checked at 08:01: nothing is left to do for you"
    let template = try Template("{{text}} rings", escaping: .text, language: MustacheLanguage())
    for hasTemplates in [false, true] {
      let mail = try await Mailing.mail(Sample.attempt(answered, to: me)) { settings in
        settings.attachesCalendar = true
        if hasTemplates { (settings.subject, settings.html) = (template, template) }
      }
      #expect(mail.fields.first { $0.name == "Subject" }?.value == "Answered: Buy milk")
      #expect(mail.text == "\(words)\n\n-- \nBelfry\n")
      #expect(mail.html?.contains("&#39;Buy milk&#39; was checked at 08:01: nothing is left to do for you</p>") == true)
      #expect(mail.html?.contains("rings") == false && mail.attachments.isEmpty)
      let thread = try await Mailing.mail(Sample.attempt(fired, to: me)).fields.first { $0.name == "In-Reply-To" }?
        .value
      #expect(thread != nil && mail.fields.first { $0.name == "In-Reply-To" }?.value == thread)
    }
  }

  @Test("a failure notice has the failure, recipient and reason in subject, text and HTML")
  func failure() async throws {
    for (isFinal, headline) in [
      (true, "Not delivered to chat (me <x>)"), (false, "chat (me <x>) needs your attention"),
    ] {
      let failure = DeliveryFailure(sink: "chat", recipient: "me <x>", reason: "404 & more", isFinal: isFinal)
      let contents = try ["Bread", "Oats"].map { ReminderContent(try Mailing.content($0), failure: failure) }
      let mail = try await Mailing.mail(Mailing.attempt([contents[0]]))
      #expect(mail.fields.first { $0.name == "Subject" }?.value == "\(headline): Bread")
      #expect(mail.text.hasPrefix("\(headline): 404 & more\n") && !mail.text.contains("belfry act"))
      #expect(mail.html?.contains("\(MailHTML.escaped(headline)): 404 &amp; more</p>") == true)
      let digest = try await Mailing.mail(Mailing.attempt(contents))
      #expect(digest.fields.first { $0.name == "Subject" }?.value == "\(headline): 2 reminders")
      #expect(digest.text.components(separatedBy: "404 & more").count == 2)
    }
  }

  @Test(
    "times are written in the item's zone, with its name",
    arguments: [
      ("Europe/Zurich", "Saturday, 21 November 2026 at 09:00 CET (Europe/Zurich)"),
      ("America/New_York", "Saturday, 21 November 2026 at 03:00 EST (America/New_York)"),
      ("Asia/Kathmandu", "Saturday, 21 November 2026 at 13:45 UTC+05:45 (Asia/Kathmandu)"),
      ("Pacific/Apia", "Saturday, 21 November 2026 at 21:00 UTC+13:00 (Pacific/Apia)"),
      ("UTC", "Saturday, 21 November 2026 at 08:00 UTC"),
    ])
  func zones(zone: String, words: String) async throws {
    let mail = try await Mailing.mail(Mailing.attempt([try Mailing.content(zone: zone)]))
    #expect(mail.text.contains(words) && mail.html?.contains(words) == true)
  }

  @Test("the HTML shows every text as it is and holds no markup of an item's")
  func html() async throws {
    let value = "<script>alert('x')</script> & \"quotes\" \u{0}\u{7}"
    let content = try Mailing.content(
      value, list: value, notes: value, actions: [CategoryAction(identifier: value, title: value)])
    let html = try #require(try await Mailing.mail(Mailing.attempt([content])).html)
    #expect(!html.contains("<script") && !html.contains("alert('x')"))
    #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;quotes&quot;"))
    #expect(html.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0a })
    let checked = try Python.answer(
      """
      from html.parser import HTMLParser
      class P(HTMLParser):
          void = {'meta', 'br'}
          def __init__(self): super().__init__(); self.open = []; self.text = ''
          def handle_starttag(self, tag, attrs):
              if tag not in self.void: self.open.append(tag)
          def handle_endtag(self, tag): assert self.open.pop() == tag, tag
          def handle_data(self, data): self.text += data
      p = P(); p.feed(given); p.close()
      print(json.dumps([p.open, p.text]))
      """, .string(html))
    #expect(checked.arrayValue?[0] == [])
    #expect(checked.arrayValue?[1].stringValue?.contains("<script>alert('x')</script> & \"quotes\"") == true)
  }

  @Test("several reminders make a digest: how many, and each whole")
  func digest() async throws {
    let contents = [
      try Mailing.content("Buy milk"), try Mailing.content("Buy oats", id: 2),
      try Mailing.listContent(["Hammer", "Saw"]),
    ]
    let mail = try await Mailing.mail(Mailing.attempt(contents))
    #expect(mail.fields.first { $0.name == "Subject" }?.value == "3 reminders")
    let commands = contents.map { "belfry act \($0.reminderID.text) later" }
    for word in ["Buy milk", "Buy oats", "Hammer", "Saw"] + commands {
      #expect(mail.text.contains(word) && mail.html?.contains(word) == true)
    }
    let sameList = try await Mailing.mail(Mailing.attempt(Array(contents.prefix(2))))
    #expect(sameList.fields.first { $0.name == "Subject" }?.value == "Groceries: 2 reminders")
  }

  @Test("a list's own reminder says in the subject how much is open, or its message; the text names what that is")
  func ownReminder() async throws {
    for (message, subject) in [(nil, "Tools: 2 open"), ("Look at them", "Tools: Look at them")] {
      let content = try Mailing.listContent(["Hammer", "Saw"], message: message)
      let mail = try await Mailing.mail(Mailing.attempt([content]))
      #expect(mail.fields.first { $0.name == "Subject" }?.value == subject)
      #expect(mail.text.contains("[ ] Hammer\n[ ] Saw") && mail.html?.contains("Hammer") == true)
    }
  }

  @Test("a digest of thousands is bounded and says how many are left out")
  func largeDigest() async throws {
    let content = try Mailing.content(String(repeating: "long ", count: 10_000))
    let mail = try await Mailing.mail(Mailing.attempt(Array(repeating: content, count: 2_500)))
    #expect(mail.text.contains("… and 2400 more reminders") && mail.html?.contains("2400 more") == true)
    #expect(mail.text.utf8.count < 2_000_000)
  }

  @Test("a text of 10 MB is cut, saying so, in every part")
  func hugeText() async throws {
    let huge = String(repeating: "漢字かな ", count: 800_000)
    let mail = try await Mailing.mail(
      Mailing.attempt([try Mailing.content(huge, list: huge, notes: huge, actions: actions)])
    ) {
      $0.attachesCalendar = true
      $0.subject = try Template("{{list}} {{text}}", escaping: .text, language: MustacheLanguage())
    }
    #expect(mail.text.utf8.count < 100_000 && mail.text.contains("…"))
    #expect(try #require(mail.html).utf8.count < 200_000)
    #expect(try #require(mail.attachments.first).content.count < 100_000)
    #expect(mail.fields.allSatisfy { $0.value.utf8.count < 990 })
  }

  @Test("templates take the place of subject, text and HTML; only HTML is escaped")
  func templates() async throws {
    let content = try Mailing.content("Buy <milk> & oats", notes: nil)
    let mail = try await Mailing.mail(Mailing.attempt([content])) {
      $0.subject = try Template(
        "[{{list}}] {{text}}{{#item.notes}} with notes{{/item.notes}}", escaping: .text, language: MustacheLanguage())
      $0.text = try Template(
        "{{text}} at {{due}}\n{{#actions}}{{title}}{{/actions}}", escaping: .text, language: MustacheLanguage())
      $0.html = try Template("<p>{{alert.title}}: {{item.text}}</p>", escaping: .html, language: MustacheLanguage())
    }
    #expect(mail.fields.first { $0.name == "Subject" }?.value == "[Groceries] Buy <milk> & oats")
    #expect(mail.text == "Buy <milk> & oats at Saturday, 21 November 2026 at 09:00 CET (Europe/Zurich)\nDoneLater")
    #expect(mail.html == "<p>Groceries: Buy &lt;milk&gt; &amp; oats</p>")
    let digest = try await Mailing.mail(Mailing.attempt([content, try Mailing.content("Two", id: 2)])) {
      $0.text = try Template(
        "{{count}}:{{#reminders}} {{text}};{{/reminders}}", escaping: .text, language: MustacheLanguage())
    }
    #expect(digest.text == "2: Buy <milk> & oats; Two;" && digest.html == nil)
  }
}

@Suite("The calendar file")
struct CalendarTests {
  private func lines(_ content: ReminderContent) async throws -> [String] {
    let mail = try await Mailing.mail(Mailing.attempt([content])) { $0.attachesCalendar = true }
    let file = try #require(mail.attachments.first)
    #expect(file.contentType == "text/calendar; charset=utf-8")
    let text = String(decoding: file.content, as: UTF8.self)
    #expect(text.hasSuffix("\r\n"))
    for line in text.components(separatedBy: "\r\n") {
      #expect(line.utf8.count <= 75)
      #expect(!line.utf8.contains(0x0a) && !line.utf8.contains(0x0d))
    }
    return text.replacing("\r\n ", with: "").components(separatedBy: "\r\n").dropLast()
  }

  @Test("an item is a VTODO with its alarm; a zone's time is written in UTC")
  func item() async throws {
    #expect(
      try await lines(try Mailing.content("Buy milk; oats, \\ bread", notes: "Two\nlines", dueIn: 60)) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN", "BEGIN:VTODO",
        "UID:\(Sample.uuid("item 1").text)", "DTSTAMP:20261121T080000Z", "CREATED:20261121T080000Z",
        "LAST-MODIFIED:20261121T080000Z", "SUMMARY:Buy milk\\; oats\\, \\\\ bread", "DESCRIPTION:Two\\nlines",
        "CATEGORIES:Groceries", "DUE:20261121T090000Z", "STATUS:NEEDS-ACTION", "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:Buy milk\\; oats\\, \\\\ bread", "TRIGGER;RELATED=END:PT0S", "END:VALARM", "END:VTODO",
        "END:VCALENDAR",
      ])
  }

  @Test("a floating item's time has no zone, and each alert is an alarm")
  func floating() async throws {
    let item = Sample.item(
      due: try Sample.due(), alerts: [CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 10)])
    let content = Sample.content(
      try Sample.reminder(of: .item(1)), about: .item(ItemListing(item: item, listName: "L", nextFireDate: nil)))
    let lines = try await lines(content)
    #expect(lines.contains("DUE:20261121T080000"))
    #expect(lines.filter { $0.hasPrefix("TRIGGER") } == ["TRIGGER;RELATED=END:-P1D", "TRIGGER;RELATED=END:-PT10M"])
  }

  @Test("the list and the tags are its categories, each escaped")
  func categories() async throws {
    var item = Sample.item()
    item.tags = try ItemTags(["shop", "a;b"])
    let content = Sample.content(
      try Sample.reminder(of: .item(1)),
      about: .item(ItemListing(item: item, listName: "Home, garden", nextFireDate: nil)))
    #expect(try await lines(content).contains("CATEGORIES:Home\\, garden,shop,a\\;b"))
  }

  @Test("no text adds a line, and long ones are folded between characters")
  func injection() async throws {
    for value in ["x\r\nATTENDEE:mailto:evil@example.org", String(repeating: "漢字😀", count: 100), "\u{0}\u{1f}"] {
      let lines = try await lines(try Mailing.content(value, list: value, notes: value))
      #expect(lines.count == 20)
      #expect(!lines.contains { $0.hasPrefix("ATTENDEE") })
    }
  }

  @Test("a list's own reminder has no calendar file")
  func list() async throws {
    let mail = try await Mailing.mail(Mailing.attempt([try Mailing.listContent(["Saw"])])) {
      $0.attachesCalendar = true
    }
    #expect(mail.attachments.isEmpty)
  }
}
