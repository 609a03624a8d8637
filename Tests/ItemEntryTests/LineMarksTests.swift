import BelfryEngine
import BelfryModel
import CivilTime
import ItemEntry
import NaturalDates
import Testing

@Suite("The marks at the end of a line")
struct LineMarksTests {
  private let fixture: EntryFixture

  init() throws {
    fixture = EntryFixture()
    _ = try fixture.item()
    _ = try fixture.belfry.add([ItemDraft(text: "Paint")], to: ListChoice("Summer house", createsMissing: true))
  }

  private func line(_ text: String) throws -> EntryLine { try fixture.read { try $0.line(text) } }

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
      ("Pay the rent every 20th", "Pay the rent", "FREQ=MONTHLY;BYMONTHDAY=20", "2026-12-20T09:00"),
      ("Yoga fridays 7pm", "Yoga", "FREQ=WEEKLY;BYDAY=FR", "2026-11-27T19:00"),
      ("Yoga on mondays and thursdays", "Yoga", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-11-23T09:00"),
      ("Stretch every morning", "Stretch", "FREQ=DAILY", "2026-11-22T09:00"),
      ("Read every evening 9pm", "Read", "FREQ=DAILY", "2026-11-21T21:00"),
      ("Call home every sunday evening at 18:30", "Call home", "FREQ=WEEKLY;BYDAY=SU", "2026-11-22T18:30"),
      ("Drops every day 8am and 8pm", "Drops", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", "2026-11-21T20:00"),
      (
        "Drops every day 8am until 2027-01-01", "Drops", "FREQ=DAILY;UNTIL=20270101;BYHOUR=8;BYMINUTE=0",
        "2026-11-22T08:00"
      ),
      ("Gym every week starting tomorrow 6pm", "Gym", "FREQ=WEEKLY", "2026-11-22T18:00"),
      ("Huddle every workday 9am", "Huddle", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-23T09:00"),
      ("Gym friday every week 7pm", "Gym", "FREQ=WEEKLY", "2026-11-27T19:00"),
      ("Vitamin A every day 8am", "Vitamin A", "FREQ=DAILY", "2026-11-22T08:00"),
      ("Log in daily 8am", "Log in", "FREQ=DAILY", "2026-11-22T08:00"),
      ("Check in monday 8am daily", "Check in", "FREQ=DAILY", "2026-11-23T08:00"),
      ("Log on weekly mon 9am", "Log on", "FREQ=WEEKLY;BYDAY=MO", "2026-11-23T09:00"),
      ("Drops every 8h", "Drops", "FREQ=HOURLY;INTERVAL=8", "2026-11-21T10:00"),
      ("Stretch every 15 mins", "Stretch", "FREQ=MINUTELY;INTERVAL=15", "2026-11-21T09:01"),
      ("Drops every night 10pm", "Drops", "FREQ=DAILY", "2026-11-21T22:00"),
      ("Feed every night 2am", "Feed", "FREQ=DAILY", "2026-11-22T02:00"),
      ("Look up every 30min", "Look up", "FREQ=MINUTELY;INTERVAL=30", "2026-11-21T09:01"),
      ("Ferns every 2d 9am", "Ferns", "FREQ=DAILY;INTERVAL=2", "2026-11-22T09:00"),
      ("Report every quarter", "Report", "FREQ=MONTHLY;INTERVAL=3", "2026-11-22T09:00"),
      ("Bins every fortnight", "Bins", "FREQ=WEEKLY;INTERVAL=2", "2026-11-22T09:00"),
      ("Read every single friday", "Read", "FREQ=WEEKLY;BYDAY=FR", "2026-11-27T09:00"),
      ("Filter every 2 quarters", "Filter", "FREQ=MONTHLY;INTERVAL=6", "2026-11-22T09:00"),
      ("Pay the rent on the 1st of every month", "Pay the rent", "FREQ=MONTHLY;BYMONTHDAY=1", "2026-12-01T09:00"),
      (
        "Pay the rent 1st and 15th of each month 8am", "Pay the rent", "FREQ=MONTHLY;BYMONTHDAY=1,15",
        "2026-12-01T08:00"
      ),
      ("Choir on the last friday of every month 7pm", "Choir", "FREQ=MONTHLY;BYDAY=-1FR", "2026-11-27T19:00"),
      ("Drops at 8am and 8pm daily", "Drops", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", "2026-11-21T20:00"),
    ])
  func repeats(line: String, text: String, rule: String, due: String) throws {
    let read = try self.line(line)
    let expected = try fixture.read { try $0.rule(rule) }
    #expect(read.text == text && read.rule == expected && read.time.map { "\($0)" } == due, "\(read)")
    #expect(read.remarks.isEmpty)
    let edit = try fixture.read { try $0.edit(read) }
    #expect(edit.rule == .set(expected) && edit.due == read.time.map { .at($0) } && edit.shouldRemind == true)
  }

  @Test(
    "a phrase that cannot be taken whole is left whole",
    arguments: [
      "Water the ferns every 3rd friday", "Walk from 9:00 to 17:00", "Choir every thursday at 25:00",
      "Book a table for friday 7pm", "Read the weekly", "Sort C#", "Mail me@example.org", "#Work", "Ask #Work Anna",
      "Party 5/12", "Call #Nolist", "2 apples each", "Meet on fri and sat", "Water every day the ferns 5pm",
      "Diary daily until 2020-01-01", "Read every evening", "Water every few days tomorrow", "Yoga friday night",
      "Every friday pizza tomorrow", "Buy milk every friday in 2 weeks", "every friday", "Talk about C#Work",
      "Work on issue #", "Gym mon wed fri 7am", "Gym mon-fri 8am", "Market saturday, sunday", "Yoga tue/thu 6pm",
      "Laundry first", "Laundry the first", "Come in 1st", "Laundry 1st",
      "Water every 3 fridays", "Water every two fridays", "Water every 2 fridays 18:00", "Water every few mondays 7am",
      "Run daily except sunday", "Run daily except sunday 9am", "Call weekly but not monday", "Stretch every! friday",
      "Tea in 45 seconds", "Tea in 0 minutes",
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
      "Call Anna tomorrow #work every week 5pm", "Call Anna tomorrow every week #work 5pm",
    ])
  func anyOrder(text: String) throws {
    let read = try line(text)
    #expect(read.text == "Call Anna" && read.list == "Work" && read.remarks.isEmpty, "\(read)")
    #expect(read.rule.map { "\($0)" } == "FREQ=WEEKLY" && read.time.map { "\($0)" } == "2026-11-22T17:00")
    #expect(try fixture.read { try $0.edit(read) }.list == ListChoice("Work"))
  }

  @Test(
    "words that begin with an @ are tags at the end, any number of them among the other marks",
    arguments: [
      ("Call Anna @phone", "Call Anna", ["phone"]), ("Call @Anna @phone, @Desk", "Call", ["Anna", "phone", "Desk"]),
      ("Call Anna @phone #Work tomorrow @x2 9am", "Call Anna", ["phone", "x2"]),
      ("Call Anna @phone @PHONE", "Call Anna", ["phone"]),
      ("Call Anna @\u{e9}t\u{e9} tomorrow!", "Call Anna", ["\u{e9}t\u{e9}"]),
    ])
  func tags(line: String, text: String, tags: [String]) throws {
    let read = try self.line(line)
    #expect(read.text == text && read.tags.names == tags && read.remarks.isEmpty, "\(read)")
    #expect(try fixture.read { try $0.edit(read) }.tags?.names == tags)
  }

  @Test(
    "what is no word behind an @, or is not at the end, is text",
    arguments: [
      "@phone", "Mail me@example.org", "Ask @Anna about Ben", "Call at @", "Lunch @5pm", "Sum @a,b",
    ])
  func noTags(text: String) throws {
    let read = try line(text)
    #expect(read.text == text && read.tags.isEmpty && read.marks.isEmpty, "\(read)")
  }

  @Test(
    "!high, !medium or !low at the end is the priority",
    arguments: [
      ("Call Anna !high", "Call Anna", .high), ("Call Anna !LOW, tomorrow #Work @x", "Call Anna", .low),
      ("Call Anna tomorrow !medium", "Call Anna", .medium), ("Call !high !low", "Call !high", .low),
      ("!high", "!high", nil), ("Call !now", "Call !now", nil), ("Shout!high", "Shout!high", nil),
      ("Aim !high today at it", "Aim !high today at it", nil),
    ] as [(String, String, ItemPriority.Level?)])
  func priorities(line: String, text: String, level: ItemPriority.Level?) throws {
    let read = try self.line(line)
    #expect(read.text == text && read.priority == level, "\(read)")
    #expect(try fixture.read { try $0.edit(read) }.priority == level.map { .set($0) })
  }

  @Test("a list's name can have several words, the default list need not exist, and only lists in sight count")
  func lists() throws {
    let read = try line("Paint the fence #summer House in 2 weeks")
    #expect(read.text == "Paint the fence" && read.list == "Summer house", "\(read)")
    #expect(try fixture.read { try $0.edit($0.line("Milk #inbox")) }.list == ListChoice("Inbox", createsMissing: true))
    let unseen = try fixture.read { try $0.line("Milk #Work", lists: { ["Summer house"] }) }
    #expect(unseen.text == "Milk #Work" && unseen.list == nil)
    #expect(unseen.remarks == ["'#Work' names no list; it stays in the text"])
  }

  @Test(
    "what looks like a mark and stays in the text is told",
    arguments: [
      ("Read at 25:00", "'25:00' is outside 00:00 to 23:59"), ("Come in 1st", "'1st' could be a day or a place"),
      ("Party 5/12", "'5/12' could mean 5 December or 12 May"),
      ("Milk #Nolist", "'#Nolist' names no list"), ("Milk #Nolist #Work", "'#Nolist' names no list"),
      ("Milk #Wrok", "'#Wrok' names no list (did you mean '#Work'?); it stays"),
      ("Milk #Work #Work", "'#Work' is one too many"), ("Ask #Work Anna", "'#Work' is not at the end of the line"),
      ("Ask #summer house Anna tomorrow", "'#summer house' is not at the end of the line"),
      ("#Work", "'#Work' is the only text"), ("Ferns every 3rd friday", "'every 3rd friday' is not a repeat: "),
      ("Water every few days", "'every few days' is not a repeat: "),
      ("Water every day the ferns 5pm", "'every day' is not at the end of the line"),
      ("Read every evening", "'every evening' has no time of day"), ("Read biweekly", "'biweekly' is not a repeat: "),
      ("Diary daily until 2020-01-01", "'daily until 2020-01-01' has no later occurrence"),
      ("Swim every monday #Work every friday", "'every monday' is one too many"),
      ("Ferns today 8:00", "'today 8:00' is already past"), ("Swim friday tomorrow 9am", "'friday' is one too many"),
      ("tomorrow", "'tomorrow' is the only text"), ("tomorrow 9am", "'tomorrow 9am' is the only text"),
      ("10:30 Call Anna", "'10:30' is not at the end of the line"),
      ("Lunch at 12:30 with Ben tomorrow", "'at 12:30' is one too many"),
      ("Meet Ben on friday for lunch", "'on friday' is not at the end of the line"),
      ("Walk from 9:00 to 17:00", "'9:00' is not at the end of the line"),
      ("Book a table for friday 7pm", "'friday 7pm' belongs to 'for' before it"),
      ("Yoga friday night", "'friday night' was understood as far as 'friday'"),
      ("Yoga friday 5", "'friday 5' could mean 05:00 or 17:00: write 5am or 5pm"),
      ("Tea tomorrow at 3", "'tomorrow at 3' could mean 03:00 or 15:00"), ("Tea at 5", "'at 5' could mean 05:00"),
      ("Pay the rent next week", "'next week' names no day"), ("Tea 18 Uhr", "'18 Uhr' could be an hour or a day"),
      ("Vacuum once a week", "'once a week' is not a repeat: "),
      ("Gym mon wed fri 7am", "'fri 7am' belongs to 'wed' before it"),
      ("Gym mon-fri 8am", "'8am' belongs to 'mon-fri' before it"),
      ("Water every 3 fridays", "'every 3 fridays' is not a repeat: "),
      ("Run daily except sunday", "'sunday' belongs to 'except' before it"),
      ("Stretch every! friday", "'friday' belongs to 'every!' before it"),
      ("Tea in 45 seconds", "'in 45 seconds' "), ("Tea in 0 minutes", "'in 0 minutes' "),
      ("Tea in 1.5 hours", "'in 1.5 hours' "),
      ("Meet 9-10am", "'9-10am' "), ("Take drops 2x daily", "'daily' belongs to '2x' before it"),
    ])
  func remarks(text: String, remark: String) throws {
    let read = try line(text)
    #expect(read.remarks.contains { $0.hasPrefix(remark) && $0.hasSuffix("; it stays in the text") }, "\(read)")
    #expect(try fixture.read { try $0.echo(read) }.remarks.suffix(read.remarks.count) == read.remarks[...])
  }

  @Test(
    "nothing is told of plain texts",
    arguments: [
      "Buy milk", "Sort C#", "Sunday roast", "Issue #12", "Open 7 days a week", "2 apples each", "Tape 3.5",
      "1/2 cup of flour", "Clean the 1st floor", "Laundry first", "Do the dishes, the pans first",
      "Look at 5 pictures", "Send the weekly report", "Fridays sheet", "Try every other box", "Call 555-1234",
      "Read the first chapter of every book",
    ])
  func silent(text: String) throws { #expect(try line(text).remarks == []) }

  @Test("marks in any order are all taken whole, and what was read is read again from the words for it")
  func combinations() throws {
    let texts = ["Buy milk", "Sort C# notes", "Mail me@example.org", "Read 2 books", "J\u{e4}ten \u{1f33b}"]
    let lists = [nil, "Work", "Summer house"]
    let rules = [
      nil, "daily", "every friday", "every other tuesday", "every month on the 1st", "every 3 days", "weekdays",
      "every year on 5 may", "every 15th",
    ]
    let times = [
      nil, "tomorrow", "tomorrow 5pm", "24.12. 18:00", "in 20 days", "2026-12-24 18:30", "by 24 dec", "9.30pm",
    ]
    for (number, text) in texts.enumerated() {
      for list in lists {
        for rule in rules {
          for time in times {
            let marks = [list.map { "#\($0)" }, rule, time].compactMap(\.self)
            for turn in marks.indices {
              let turned = Array(marks[turn...] + marks[..<turn])
              let order = number.isMultiple(of: 2) ? turned : turned.reversed()
              let read = try line(([text] + order).joined(separator: " "))
              #expect(read.text == text && read.list == list && read.remarks.isEmpty, "\(order): \(read)")
              #expect(read.rule == (try rule.map { words in try fixture.read { try $0.rule(words) } }), "\(order)")
              #expect((read.time != nil) == (rule != nil || time != nil), "\(order): \(read)")
              let words = [text, read.rule?.words, read.list.map { "#\($0)" }, read.time.map { "\($0)" }]
              let again = try line(words.compactMap(\.self).joined(separator: " "))
              #expect(
                again.text == text && again.list == read.list && again.rule == read.rule && again.time == read.time,
                "\(words): \(again)")
            }
          }
        }
      }
    }
  }

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
      let (marks, words) = (read.marks, Self.words([text]))
      #expect(words == Self.words([read.text] + marks) && !read.text.isEmpty, "\(text): \(read)")
    }
  }

  // 100 KB each; a look at each of their words for every other one would take hours.
  @Test(
    "a long line of what looks like marks is read to its end",
    arguments: [
      "every 1 ", "every 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ", "1 ", "every ", "#Summer ", "#Summer house x ", "b ",
      "tomorrow ", "on ", "@a ", ", ", "once a ",
    ])
  func long(words: String) throws {
    for text in ["Milk \(String(repeating: words, count: 100_000 / words.count))x", "Milk #Summer every 1 "] {
      let whole = text + String(repeating: words, count: 100_000 / words.count) + "x"
      #expect(try line(whole).text == whole)
    }
  }

  /// The words of some parts of a line, without the commas and colons between them.
  private static func words(_ parts: [String]) -> [String] {
    parts.flatMap { $0.split { $0.isWhitespace || $0 == "," } }
      .map { String($0.last == ":" ? $0.dropLast() : $0) }.filter { !$0.isEmpty }
  }
}
