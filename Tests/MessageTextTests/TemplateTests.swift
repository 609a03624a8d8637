import BelfryModel
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MustacheTemplates
import OrderedJSON
import Testing

@testable import MessageText

@Suite("Templates")
struct TemplateTests {
  private let values: TemplateValues

  init() throws {
    let attempt = Sample.attempt(try Sample.message(text: "Buy <milk>"), lateSeconds: 120)
    values = TemplateValues(attempt, words: ReminderWords.all(attempt, zones: ZoneDatabase(environment: [:])))
  }

  @Test(
    "values are escaped as the syntax asks, and three braces escape nothing",
    arguments: [
      (TemplateEscaping.text, "{{text}}", "Buy <milk>"), (.html, "{{text}}", "Buy &lt;milk&gt;"),
      (.html, "{{{text}}}", "Buy <milk>"), (.json, "{{text}}", "Buy <milk>"), (.form, "{{text}}", "Buy+%3Cmilk%3E"),
      (.text, "{{late}} {{late_seconds}} {{due_in}}", "2 min 120 2 min ago"),
      (.text, "{{list}} {{list.name}}", "Groceries Groceries"),
      (.text, "{{#list}}a list{{/list}}{{^list}}an item{{/list}}", "an item"),
      (.text, "{{#reminders}}{{text}}{{/reminders}}", "Buy <milk>"),
      (.text, "a\n{{#item}}\n{{id}}\n{{/item}}\nb", "a\n1\nb"), (.text, "", ""),
      (.text, "{ {{ text }} }", "{ Buy <milk> }"),
      (.text, "{{item.notes}}{{notes}}{{item.nothing}}", ""), (.text, "{{! a remark }}x", "x"),
    ])
  func rendered(escaping: TemplateEscaping, text: String, result: String) throws {
    #expect(try Template(text, escaping: escaping, language: MustacheLanguage()).render(values) == result)
  }

  @Test("links have names, and render to nothing where a message has none")
  func links() throws {
    let attempt = Sample.attempt(try Sample.message())
    let template = "{{answer_url}}{{#actions}} {{title}}={{link}}={{token}}{{/actions}}"
    let rendered = try [attempt, attempt.linked].map { attempt in
      try Template(template, escaping: .text, language: MustacheLanguage()).render(
        TemplateValues(attempt, words: ReminderWords.all(attempt, zones: ZoneDatabase(environment: [:]))))
    }
    let links = try #require(attempt.linked.links.first)
    let actions = zip(["Done", "Later"], links.actions).map { " \($0)=\($1.url)=\($1.token ?? "")" }
    #expect(rendered == [" Done== Later==", links.answerURL + actions.joined()])
    #expect(TemplateNames.unknown(in: template) == [])
  }

  @Test("an escalation has names, and its words")
  func escalation() throws {
    let template = "{{text}}{{#escalation}} {{name}} {{step}}/{{of}}: {{words}}{{/escalation}}"
    let rendered = try [Sample.message(), Sample.step(1, asked: [], people: []), Sample.step()].map { message in
      let attempt = Sample.attempt(message)
      return try Template(template, escaping: .text, language: MustacheLanguage()).render(
        TemplateValues(attempt, words: ReminderWords.all(attempt, zones: ZoneDatabase(environment: [:]))))
    }
    #expect(
      rendered == [
        "Buy milk", "Buy milk home 1/3: ", "Buy milk home 2/3: Anna has not answered since 07:50 (step 2 of 3)",
      ])
    #expect(TemplateNames.unknown(in: template) == [])
  }

  @Test(
    "what does not parse is refused with its line and column",
    arguments: [
      ("{{text", "line 1, column 7"), ("a\nbc{{#item}}\n", "line 3, column 1"), ("{{#a}}{{/b}}", "line 1, column 10"),
      ("x{{/a}}", "line 1, column 5"), ("{{a b}}", "line 1, column 5"), ("a {{> b}}", "line 1, column 3"),
      ("\n\n  {{=<% %>=}}", "line 3, column 3"),
      ("{{<a}}{{/a}}", "line 1, column 1"), ("{{$a}}{{/a}}", "line 1, column 1"), ("{{% X:Y}}", "line 1, column"),
    ])
  func refused(text: String, place: String) {
    #expect {
      try Template(text, escaping: .text, language: MustacheLanguage())
    } throws: { error in
      (error as? ConfigProblem)?.message.contains(place) == true
    }
  }

  @Test("without a language a template stays text: its tags are checked, and it renders nothing")
  func withoutLanguage() throws {
    #expect(try Template("{{#a}}{{/b}}", escaping: .text, language: nil).render(values) == nil)
    #expect(throws: ConfigProblem.self) { try Template("a {{> b}}", escaping: .text, language: nil) }
  }

  @Test("sections that nest without end, and templates without end, are refused")
  func deep() {
    #expect(throws: ConfigProblem.self) {
      try Template(String(repeating: "{{#a}}", count: 10_000), escaping: .text, language: MustacheLanguage())
    }
    #expect(throws: ConfigProblem.self) {
      try Template(String(repeating: "x", count: 70_000), escaping: .text, language: MustacheLanguage())
    }
  }

  @Test("every name that a message has is known to the check of names")
  func knownNames() throws {
    func names(_ value: JSONValue) -> Set<String> {
      let inner = (value.arrayValue ?? value.objectValue?.members.map(\.value) ?? []).map(names)
      return inner.reduce(Set(value.objectValue?.members.map(\.key) ?? [])) { $0.union($1) }
    }
    let list = Sample.list(id: 2, name: "Tools", reminder: ListReminder(due: try Sample.due(), zone: .floating))
    let listing = ItemListing(item: Sample.item(id: 1), listName: "Tools", nextFireDate: nil)
    let about = Sample.content(try Sample.reminder(of: .list(2)), about: .list(list, unchecked: [listing]))
    let message = Message(
      id: Sample.uuid("m"), sink: "x", contents: [ReminderContent(test: about)], createdAt: Sample.now)
    let failure = DeliveryFailure(sink: "x", recipient: nil, reason: "y", isFinal: true)
    let told = Message(
      id: Sample.uuid("n"), sink: "x", contents: [ReminderContent(about, failure: failure)], createdAt: Sample.now)
    var all: Set = ["message_id", "count", "reminders", "text", "due", "due_in", "late"]
    for message in [message, told, try Sample.message(text: "x")] {
      all.formUnion(names(try Sample.attempt(message).body()))
    }
    #expect(TemplateNames.unknown(in: all.map { "{{\($0)}}" }.joined()) == [])
    #expect(all.count > 30)
  }

  @Test(
    "names that nothing has are found wherever they stand, each once",
    arguments: [
      ("{{nosuch}} {{ nosuch }} {{{other}}} {{&third}}", ["nosuch", "other", "third"]),
      ("{{#item}}{{/item}}{{^itme}}{{item.txet}}{{/itme}}", ["itme", "txet"]),
      ("{{! nosuch }}{{.}}{{text}} { {nosuch} }", []), ("{{first(reminders)}}{{nosuch}}", []), ("{{text", []),
    ])
  func unknownNames(text: String, names: [String]) { #expect(TemplateNames.unknown(in: text) == names) }

  @Test("no piece of a template stops the program")
  func pieces() {
    let whole =
      "{{#item}} {{{text}}} {{&a}} {{! b }} {{^c}}{{.}}{{/c}} é{{d.e}}\r\n{{/item}} {{f(g(h))}} {{% CONTENT_TYPE:TEXT}}"
    let characters = Array(whole)
    var random = SeededGenerator(seed: 7)
    var parsed = 0
    for round in 0..<3_000 {
      var piece = characters
      for _ in 0...(round % 4) {
        let start = Int(random.next() % UInt64(max(1, piece.count)))
        piece.removeSubrange(start..<min(piece.count, start + Int(random.next() % 9)))
      }
      guard let template = try? Template(String(piece), escaping: .json, language: MustacheLanguage()) else { continue }
      parsed += template.render(values)?.isEmpty == false ? 1 : 0
    }
    #expect(parsed > 0)
  }
}

@Suite("Texts cut to a length")
struct BoundedTextTests {
  @Test("a text that fits stays as it is; a longer one is cut between two characters, with a mark")
  func bounded() {
    #expect("abc".bounded(toBytes: 3) == "abc")
    #expect("abcdef".bounded(toBytes: 5) == "ab…")
    #expect("äöü".bounded(toBytes: 5) == "ä…")
    #expect("😀😀😀".bounded(toUTF16: 5) == "😀😀…")
    #expect("".bounded(toBytes: 0) == "")
    #expect("e\u{301}e\u{301}e\u{301}".bounded(toBytes: 7) == "e\u{301}…")
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(marks.bounded(toBytes: 100) == "…")
    for limit in 3..<40 { #expect("漢字かなé😀abcdefg".bounded(toBytes: limit).utf8.count <= limit) }
  }

  @Test("one line has no line ends and controls, and no white space at its ends")
  func oneLine() {
    #expect("  a\r\n\tb  c\u{2028}d\u{0}".onOneLine() == "a b  c d")
    #expect(" \n".onOneLine() == "")
    #expect("é\u{200d}😀".onOneLine() == "é\u{200d}😀")
  }
}
