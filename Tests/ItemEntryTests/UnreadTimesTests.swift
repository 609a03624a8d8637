import BelfryModel
import ItemEntry
import Testing

@Suite("Lines that end in a part of a time")
struct UnreadTimesTests {
  private let fixture: EntryFixture

  init() throws {
    fixture = EntryFixture()
    _ = try fixture.item()
  }

  private func line(_ text: String) throws -> EntryLine { try fixture.read { try $0.line(text) } }

  @Test(
    "a time of day is left with the date or the repeat before it that is not read, and that is told",
    arguments: [
      ("Dentist 3.12. 14:00", "could mean 3 December or 12 March"),
      ("Meeting 5/12 14:00", "could mean 5 December or 12 May"),
      ("Meeting 24.12 14:00", "seems to mean 24 December"),
      ("Run 2026-02-30 09:00", "'2026-02-30"), ("Pay feb 30 9am", "'feb 30"), ("Pay 30 feb 9am", "'30 feb"),
      ("Dentist 31 nov 10:00", "'31 nov"), ("Call dec 32 10am", "'dec 32"), ("Pay feb 30", "'feb 30"),
      ("Pay the 32nd 9am", "'32nd 9am' has no day"), ("Lunch in december 9am", "'in december 9am"),
      ("Lunch may 2030 9am", "'may 2030 9am' names the month May"), ("Party next weekend 10am", "'next weekend"),
      ("Gym next month 9am", "names no day"), ("Tea this afternoon 3pm", "'this afternoon"),
      ("Tea saturday afternoon 3pm", "was understood as far as 'saturday'"),
      ("Drops 3x daily 9am", "'daily 9am' belongs to '3x' before it"), ("Drops 3 times a day 9am", "'times a day"),
      ("Read biweekly 9am", "'biweekly 9am' is not a repeat: "),
      ("Talk to monday 8am daily", "'daily' belongs to '8am' before it"),
    ])
  func parts(text: String, remark: String) throws {
    let read = try line(text)
    #expect(read.text == text && read.time == nil && read.rule == nil, "\(read)")
    #expect(read.remarks.contains { $0.contains(remark) && !$0.contains("column") }, "\(read)")
  }

  @Test(
    "a time of day is read after words that only resemble a date",
    arguments: [
      "Deploy 1.2.3", "Deploy 1.2", "Split 50/50", "Call April", "Meet Anna in room 5", "Movie night", "Plan A",
      "Book of the year", "Split 1/2 tomorrow",
    ])
  func clocks(text: String) throws {
    let read = try line("\(text) 9am")
    #expect(read.time.map { "\($0)" } == "2026-11-22T09:00", "\(read)")
  }
}
