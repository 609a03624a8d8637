import BelfryEngine
import BelfryModel
import CivilTime
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange

@Suite("todo.txt")
struct TodoTxtTests {
  private func item(_ line: String) throws -> ImportedItem {
    let entries = try Contents.entries(line, .todoTxt)
    return try #require(entries.items.first, "\(entries)")
  }

  private func wall(_ text: String) throws -> WallTime { try #require(WallTime(parsing: text)) }

  @Test("a plain line is an item on the default list")
  func plain() throws {
    let entries = try Contents.entries("Buy milk\n\n  \nCall Anna", .todoTxt)
    #expect(entries.lists == ["Inbox", "Inbox"])
    #expect(
      entries.items == [
        ImportedItem(text: "Buy milk", place: "line 1"), ImportedItem(text: "Call Anna", place: "line 4"),
      ])
  }

  @Test("the first project is the list, contexts are tags; further projects, and contexts of several words, are kept")
  func marks() throws {
    let entries = try Contents.entries("Call +Garden%20party Anna @phone +Food @my%20desk now", .todoTxt)
    #expect(entries.lists == ["Garden party"])
    #expect(entries.items.map(\.text) == ["Call Anna now"])
    #expect(entries.items.first?.tags.names == ["phone"])
    #expect(entries.items.first?.properties == ["CATEGORIES:my desk", "X-TODOTXT-PROJECT:Food"])
    #expect(try item("2 + 2 is @ home").text == "2 + 2 is @ home")
  }

  @Test(
    "the completion mark is a small x and a space, and a priority one capital in brackets",
    arguments: [
      ("x done", true, "done", nil), ("xylophone lesson", false, "xylophone lesson", nil),
      ("X not done", false, "X not done", nil), ("(A) Call", false, "Call", 1),
      ("(I) Call", false, "Call", 9), ("(b) Call", false, "(b) Call", nil),
      ("(A)->Call", false, "(A)->Call", nil), ("Call (A) Anna", false, "Call (A) Anna", nil),
      ("x (C) Call", true, "Call", 3), ("x Call pri:D", true, "Call", 4),
      ("x", false, "x", nil),
    ] as [(String, Bool, String, Int64?)])
  func heads(line: String, isChecked: Bool, text: String, priority: Int64?) throws {
    let item = try item(line)
    #expect(item.isChecked == isChecked && item.text == text && item.priority?.number == priority)
    #expect(item.properties == [])
  }

  @Test("a priority beyond (I) is kept")
  func lowPriority() throws {
    let item = try item("(Z) Call")
    #expect(item.text == "Call" && item.priority == nil && item.properties == ["X-TODOTXT-PRIORITY:Z"])
  }

  @Test("one date is that of creation, or of completion behind an x; with two, creation is the second")
  func dates() throws {
    let day = { (text: String) in try #require(parseRFC3339("\(text)T00:00:00+01:00")) }
    let created = try item("(A) 2026-11-02 Call")
    #expect(try created.createdAt == day("2026-11-02") && created.checkedAt == nil && created.text == "Call")
    let completed = try item("x 2026-11-03 Call")
    #expect(try completed.checkedAt == day("2026-11-03") && completed.createdAt == nil)
    let both = try item("x 2026-11-03 2026-11-02 Call 2026-01-01")
    #expect(try both.checkedAt == day("2026-11-03") && both.createdAt == day("2026-11-02"))
    #expect(both.text == "Call 2026-01-01")
  }

  @Test("a due date is at the default time, or at the one behind it, and rings")
  func due() throws {
    let bare = try item("Pay due:2026-12-24")
    #expect(try bare.due == .local(wall("2026-12-24T09:00"), .floating))
    #expect(bare.shouldRemind && bare.text == "Pay")
    let timed = try item("Pay due:2026-12-24T18:30 zone:Europe/London alert:P1D,PT10M nag:PT15M remind:no")
    #expect(try timed.due == .local(wall("2026-12-24T18:30"), .fixed("Europe/London")))
    #expect(timed.alerts == [CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 10)])
    #expect(timed.nag == CalendarDuration(days: 0, minutes: 15) && !timed.shouldRemind)
  }

  @Test(
    "rec counts from the due date with a plus, else from when it is done",
    arguments: [
      ("2026-11-21", "1d", "FREQ=DAILY"), ("2026-11-21", "+2w", "FREQ=WEEKLY;INTERVAL=2"),
      ("2026-11-21", "+1m", "FREQ=MONTHLY"), ("2026-11-21", "3y", "FREQ=YEARLY;INTERVAL=3"),
      ("2026-11-20", "+1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("2026-11-20", "+10b", "FREQ=WEEKLY;INTERVAL=2"),
      ("2026-11-20", "1b", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"),
      ("2026-11-20", "3b", "FREQ=DAILY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR"),
      ("2027-01-31", "+1m", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"), ("2027-01-31", "1m", "FREQ=MONTHLY"),
      ("2028-02-29", "+1y", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
    ])
  func repeats(day: String, period: String, rule: String) throws {
    let item = try item("Water due:\(day) rec:\(period)")
    #expect(try item.rule == RecurrenceRule(rule))
    #expect(item.repeatOrigin == (period.hasPrefix("+") ? .due : .done))
    #expect(item.text == "Water")
  }

  @Test("a repeat without a date is kept, as is a threshold and what nobody knows")
  func kept() throws {
    let item = try item("Water rec:+1w http://a.b/c?d:e key:value rec:often uuid:nonsense")
    #expect(item.rule == nil && item.due == nil)
    #expect(item.properties == ["X-TODOTXT-REC:+1w"])
    #expect(item.text == "Water http://a.b/c?d:e key:value rec:often uuid:nonsense")
    #expect(try self.item("Water t:2026-11-01").properties == ["X-TODOTXT-T:2026-11-01"])
  }

  /// The words of an export that are not of Belfry's own.
  private func exported(_ belfry: Belfry) throws -> [String] {
    try Contents.exported(belfry, as: .todoTxt).split(separator: "\n").map { line in
      line.split(separator: " ").filter { !$0.hasPrefix("uuid:") && $0 != "+Inbox" && !$0.hasPrefix("belfry-start:") }
        .joined(separator: " ")
    }
  }

  @Test(
    "t: keeps its distance to due:, and rec: counts from t: where there is no due:, each time it is checked",
    arguments: [
      (
        "Log t:2026-12-03 rec:+1b due:2026-12-04", "Log due:2026-12-04 t:2026-12-03 rec:+1b",
        "Log due:2026-12-07 t:2026-12-06 rec:+1b"
      ),
      (
        "Log t:2027-02-01 rec:+1m due:2027-01-31", "Log due:2027-01-31 t:2027-02-01 rec:+1m",
        "Log due:2027-02-28 t:2027-03-01 rec:+1m"
      ),
      ("Log t:2026-12-03 rec:+1w", "Log t:2026-12-03 rec:+1w", "Log t:2026-12-10 rec:+1w"),
      (
        "Log t:2026-12-03 rec:1w zone:UTC", "Log t:2026-12-03 zone:UTC rec:1w",
        "Log belfry-time:08:00 t:2026-11-28 zone:UTC rec:1w"
      ),
      ("Log rec:3b t:2026-12-03", "Log t:2026-12-03 rec:3b", "Log t:2026-11-25 rec:3b"),
    ])
  func thresholds(line: String, first: String, second: String) throws {
    let (belfry, refused) = try Contents.imported("2026-11-21 \(line)", .todoTxt)
    #expect(refused == [])
    #expect(try words(belfry) == words(first))
    _ = try belfry.setChecked(true, [1])
    #expect(try Contents.listings(belfry).map(\.item.isChecked) == [false])
    #expect(try words(belfry) == words(second))
    let again = try Contents.imported(try Contents.exported(belfry, as: .todoTxt), .todoTxt).belfry
    #expect(try exported(again) == exported(belfry))
  }

  private func words(_ line: String) -> Set<Substring> { Set(line.split(separator: " ")) }

  private func words(_ belfry: Belfry) throws -> Set<Substring> {
    words(try exported(belfry).joined().replacing("2026-11-21 ", with: "", maxReplacements: 1))
  }

  @Test("a threshold without a date neither rings nor hides its day from other programs")
  func silent() throws {
    let item = try item("Log t:2026-12-03 rec:+1w")
    #expect(try item.due == .local(wall("2026-12-03T09:00"), .floating))
    #expect(!item.shouldRemind && item.properties == ["X-TODOTXT-T:DUE"])
    #expect(try self.item("Log t:2026-12-03 rec:+1w remind:yes").shouldRemind)
    let refused = try Contents.entries("Log t:2026-12-03 rec:+3b", .todoTxt).refusals
    #expect(refused == ["line 1: its rec:+3b is not supported: with a plus, only 1b and multiples of five are"])
  }

  @Test(
    "an export has each text as it is, and reads it back",
    arguments: [
      "(a) one", "(A) one", "(A)no space", "xylophone lesson", "x mid", "X capital", "2027-01-01 x mid", "2027-02-30",
      "+", "a:b http://c.d/e?f=g", "call  mum",
    ])
  func plainTexts(text: String) throws {
    let belfry = Contents.belfry()
    _ = try belfry.add([ItemDraft(text: text), ItemDraft(text: text)], to: ListChoice("Inbox", createsMissing: true))
    _ = try belfry.setChecked(true, [2])
    let lines = try Contents.exported(belfry, as: .todoTxt)
    #expect(lines.hasPrefix("2026-11-21 \(text) +Inbox") && lines.contains("x 2026-11-21 2026-11-21 \(text) +Inbox"))
    #expect(try Contents.listings(Contents.imported(lines, .todoTxt).belfry).map(\.item.text) == [text, text])
  }

  @Test("words of a text that are marks stay readable where they are, however often they are written and read")
  func protectedTexts() throws {
    let belfry = Contents.belfry()
    let texts = [
      "call +49 @ home @work due:now", "\u{2060}+a \u{2060}\u{2060}rec:1w \u{2060}b \u{2060}", "t:2026-01-01",
    ]
    _ = try belfry.add(texts.map { ItemDraft(text: $0) }, to: ListChoice("Inbox", createsMissing: true))
    let lines = try Contents.exported(belfry, as: .todoTxt)
    #expect(lines.replacing("\u{2060}", with: "").hasPrefix("2026-11-21 call +49 @ home @work due:now +Inbox uuid:"))
    let again = try Contents.imported(lines, .todoTxt).belfry
    #expect(try Contents.listings(again).map(\.item.text) == texts)
    #expect(try Contents.exported(again, as: .todoTxt) == lines)
    #expect(try item("2026-11-21 +Garden belfry-text:call%20+49").text == "call +49")
    #expect(try item("call \u{2060}Anna \u{2060}").text == "call \u{2060}Anna \u{2060}")
  }

  @Test("lines with dates that cannot be are refused with their number, the rest comes")
  func impossible() throws {
    let entries = try Contents.entries(
      """
      Pay due:2026-02-30
      2026-13-01 Pay
      fine
      x 2026-11-03 2026-11-31 Pay
      Pay due:tomorrow
      Pay due:2026-12-24T25:00
      Pay t:2026-00-10
      Pay due:2026-11-20 rec:+3b
      """, .todoTxt)
    #expect(entries.items.map(\.text) == ["fine"])
    #expect(
      entries.refusals == [
        "line 1: its 'due:2026-02-30' is a time that does not exist: write due:2026-12-24",
        "line 2: its first date is 2026-13-01, which does not exist",
        "line 4: its date of creation is 2026-11-31, which does not exist",
        "line 5: its 'due:tomorrow' is not a date: write due:2026-12-24",
        "line 6: its 'due:2026-12-24T25:00' is a time that does not exist: write due:2026-12-24",
        "line 7: its t:2026-00-10 does not exist",
        "line 8: its rec:+3b is not supported: with a plus, only 1b and multiples of five are",
      ])
  }

  @Test("bytes that are no text, and a text of marks alone, are refused with their line")
  func noText() throws {
    let entries = try Contents.entries([0x61, 0x0A, 0xFF, 0x0A, 0x62], .todoTxt)
    #expect(entries.items.map(\.text) == ["a", "b"])
    #expect(entries.refusals == ["line 2: it holds bytes that are not UTF-8"])
    let refused = try Contents.imported("(A) 2026-11-01 +Home due:2026-12-01\nBuy\u{7}milk\n", .todoTxt).refused
    #expect(refused.map(\.place) == ["line 1", "line 2"])
  }

  @Test("an export is what users of the format expect to see")
  func written() throws {
    let belfry = Contents.belfry()
    let draft = ItemDraft(
      text: "Water the plants", due: try wall("2026-11-23T09:00"), shouldRemind: true,
      rule: try RecurrenceRule("FREQ=WEEKLY"))
    let items = try belfry.add(
      [draft, ItemDraft(text: "call +49 due:now")], to: ListChoice("Garden", createsMissing: true))
    let uuids = items.map(\.listing.item.uuid.text)
    #expect(
      try Contents.exported(belfry, as: .todoTxt) == """
        2026-11-21 Water the plants +Garden due:2026-11-23 rec:+1w uuid:\(uuids[0])
        2026-11-21 call \u{2060}+49 \u{2060}due:now +Garden uuid:\(uuids[1])

        """)
  }
}
