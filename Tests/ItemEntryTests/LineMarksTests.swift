import BelfryEngine
import BelfryModel
import CivilTime
import ItemEntry
import Testing

@Suite("The marks at the end of a line", .timeLimit(.minutes(5)))
struct LineMarksTests {
  private let bench: EntryBench

  init() throws {
    bench = EntryBench()
    _ = try bench.item()
    _ = try bench.belfry.add([ItemDraft(text: "Paint")], to: ListChoice("Summer house", createsMissing: true))
  }

  private func line(_ text: String) throws -> EntryLine { try bench.read { try $0.line(text) } }

  @Test(
    "a repeat is taken whole, with the time of day behind it, and the first occurrence is the due date",
    arguments: [
      ("Rent every month on the 1st", "Rent", "FREQ=MONTHLY;BYMONTHDAY=1", "2026-12-01T09:00"),
      ("Water the ferns every friday", "Water the ferns", "FREQ=WEEKLY;BYDAY=FR", "2026-11-27T09:00"),
      ("Choir every thursday 7pm", "Choir", "FREQ=WEEKLY;BYDAY=TH", "2026-11-26T19:00"),
      ("Diary daily 6am", "Diary", "FREQ=DAILY", "2026-11-22T06:00"),
      ("Diary daily 10 am", "Diary", "FREQ=DAILY", "2026-11-21T10:00"),
      ("Huddle every weekday 9:15am", "Huddle", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-23T09:15"),
      ("Gym, on weekdays at 18:00", "Gym", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-23T18:00"),
      ("Dentist every year on 12 june", "Dentist", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=12", "2027-06-12T09:00"),
      ("Feed the fish every 3 days at 7:30", "Feed the fish", "FREQ=DAILY;INTERVAL=3", "2026-11-22T07:30"),
      ("Bins every other tuesday 7am", "Bins", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "2026-11-24T07:00"),
      ("Backup every 2 months on the 1st", "Backup", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1", "2026-12-01T09:00"),
      ("Pills every day at 8:00 and 20:00", "Pills", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", "2026-11-21T20:00"),
      ("Stretch every 2 hours", "Stretch", "FREQ=HOURLY;INTERVAL=2", "2026-11-21T10:00"),
      ("Swim 3pm every friday", "Swim", "FREQ=WEEKLY;BYDAY=FR", "2026-11-27T15:00"),
      ("Report every friday tomorrow 3pm", "Report", "FREQ=WEEKLY;BYDAY=FR", "2026-11-22T15:00"),
      ("10:30 Call Anna every week", "Call Anna", "FREQ=WEEKLY", "2026-11-21T10:30"),
    ])
  func repeats(line: String, text: String, rule: String, due: String) throws {
    let read = try self.line(line)
    let expected = try bench.read { try $0.rule(rule) }
    #expect(read.text == text && read.rule == expected && read.time.map { "\($0)" } == due, "\(read)")
    #expect(read.remarks.isEmpty)
    let edit = try bench.read { try $0.edit(read) }
    #expect(edit.rule == .set(expected) && edit.due == read.time.map { .at($0) } && edit.shouldRemind == true)
  }

  @Test(
    "a phrase that cannot be taken whole is left whole",
    arguments: [
      "Water the ferns every 3rd friday", "Walk from 9:00 to 17:00", "Choir every thursday at 25:00",
      "Pay the rent every 20th", "Read the weekly", "Sort C#", "Mail me@example.org", "#Work", "Ask #Work Anna",
      "Party 5/12", "Call #Nolist", "2 apples each", "Meet on fri and sat", "Standup every day 8am until 2027-01-01",
      "Diary daily until 2020-01-01", "every friday", "Talk about C#Work", "Work on issue #",
    ])
  func whole(text: String) throws {
    let read = try line(text)
    #expect(read.text == text && read.marks.isEmpty && read.entry == ItemEntry([.text: .text(text)]), "\(read)")
  }

  @Test(
    "a list, a repeat and a time are read in any order",
    arguments: [
      "Call Anna #work every week tomorrow 5pm", "Call Anna #work tomorrow 5pm every week",
      "Call Anna tomorrow 5pm #work every week", "Call Anna tomorrow 5pm every week #work",
      "Call Anna every week #work tomorrow 5pm", "Call Anna, every week, tomorrow 5pm, #work",
    ])
  func anyOrder(text: String) throws {
    let read = try line(text)
    #expect(read.text == "Call Anna" && read.list == "Work" && read.remarks.isEmpty, "\(read)")
    #expect(read.rule.map { "\($0)" } == "FREQ=WEEKLY" && read.time.map { "\($0)" } == "2026-11-22T17:00")
    #expect(try bench.read { try $0.edit(read) }.list == ListChoice("Work"))
  }

  @Test("a list's name can have several words, the default list need not exist, and only lists in sight count")
  func lists() throws {
    let read = try line("Paint the fence #summer House in 2 weeks")
    #expect(read.text == "Paint the fence" && read.list == "Summer house", "\(read)")
    #expect(try bench.read { try $0.edit($0.line("Milk #inbox")) }.list == ListChoice("Inbox", createsMissing: true))
    let unseen = try bench.read { try $0.line("Milk #Work", lists: { ["Summer house"] }) }
    #expect(unseen.text == "Milk #Work" && unseen.list == nil)
    #expect(unseen.remarks == ["'#Work' names no list; it stays in the text"])
  }

  @Test(
    "what looks like a mark and stays in the text is told",
    arguments: [
      ("Read at 25:00", "'25:00' has no time of day"), ("Party 5/12", "'5/12' could mean 5 December or 12 May"),
      ("Milk #Nolist", "'#Nolist' names no list"), ("Milk #Nolist #Work", "'#Nolist' names no list"),
      ("Milk #Work #Work", "'#Work' is not taken for the list"),
      ("Ferns every 3rd friday", "'every 3rd friday' is no repeat: "),
      ("Ferns today 8:00", "'today 8:00' is not taken for the due date"),
      ("Swim friday tomorrow 9am", "'friday' is a second time"), ("tomorrow", "'tomorrow' is not taken"),
    ])
  func remarks(text: String, remark: String) throws {
    let read = try line(text)
    #expect(read.remarks.contains { $0.hasPrefix(remark) && $0.hasSuffix("; it stays in the text") }, "\(read)")
    #expect(try bench.read { try $0.echo(read) }.remarks.contains(read.remarks[0]))
  }

  @Test(
    "nothing is told of plain texts",
    arguments: ["Buy milk", "Sort C#", "Sunday roast", "Issue #12", "Open 7 days a week", "2 apples each", "Tape 3.5"])
  func silent(text: String) throws { #expect(try line(text).remarks == []) }

  @Test("the text and the marks, in order, are the line")
  func complete() throws {
    let pieces = [
      "Call", "Anna,", "C#", "#Work", "#summer house", "#Nolist", "every", "each", "friday", "3rd", "daily", "weekdays",
      "on", "the", "1st", "tomorrow", "9am", "at 8:00", "every 2 weeks", "by", "to", "25:00", "5/12", ",", "until",
      "2027-01-01", "in 3 days", "Friday:", "10:30", "and",
    ]
    var state: UInt64 = 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 1...2_000 {
      let text = (0...next(9)).map { _ in pieces[next(pieces.count)] }.joined(separator: " ")
      let read = try line(text)
      let (marks, words) = (read.marks.map(\.written), Self.words([text]))
      let isComplete =
        words == Self.words([read.text] + marks)
        || words == Self.words(Array(marks.prefix(1)) + [read.text] + Array(marks.dropFirst()))
      #expect(isComplete && !read.text.isEmpty, "\(text): \(read)")
    }
  }

  /// The words of some parts of a line, without the commas and colons between them.
  private static func words(_ parts: [String]) -> [String] {
    parts.flatMap { $0.split { $0.isWhitespace || $0 == "," } }
      .map { String($0.last == ":" ? $0.dropLast() : $0) }.filter { !$0.isEmpty }
  }
}
