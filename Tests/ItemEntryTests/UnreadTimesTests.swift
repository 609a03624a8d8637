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
      ("Gym every business day 9am", "'every business day 9am' is not a repeat: "),
      ("Gym every odd week 9am", "'every odd week 9am' is not a repeat: "),
      ("Gym 3x a week 9am", "'9am' belongs to 'week' before it"),
      ("Drops daily for 2 weeks 9am", "'9am' belongs to 'weeks' before it"),
      ("Pay last friday of december 9am", "'friday of december"),
      ("Pay last friday of the month 22:00", "'friday of the"),
      ("Pay end of december 9am", "'end of december"), ("Trip 3-5 dec 9am", "'3-5 dec"),
      ("Trip 3rd-5th 9am", "'3rd-5th"),
      ("Call 2 weeks from now 9am", "'from now"), ("Gym mon & wed 9am", "'wed 9am' belongs to '&' before it"),
      ("Gym mon - fri 9am", "'fri 9am' belongs to '-' before it"),
      ("Gym every alternate friday 9am", "'every alternate friday 9am' is not a repeat: "),
      ("Bins bi-weekly 9am", "'bi-weekly 9am' is not a repeat: "),
      ("Drops thrice daily 9am", "'daily 9am' belongs to 'thrice' before it"),
      ("Party next week sunday 9am", "'sunday 9am' belongs to 'week' before it"),
      ("Trip in 2 weeks on monday", "'in 2 weeks' is not at the end of the line"),
      ("Call thu 1430", "'thu 1430' was understood as far as 'thu'"),
      ("Call at ~8pm", "'~8pm' is not a time that Belfry knows"),
      ("Party friday 13th 9am", "belongs to 'friday' before it"),
      ("Party 5pm friday the 4th", "'5pm friday' is not at the end of the line"),
      ("Drops 9am, 3pm", "'3pm' belongs to '9am,' before it"),
      ("Pills every evening at 8", "'every evening' has no time of day"),
      ("Talk to monday 8am daily", "'daily' belongs to '8am' before it"),
    ])
  func parts(text: String, remark: String) throws {
    let read = try line(text)
    #expect(read.text == text && read.time == nil && read.rule == nil, "\(read)")
    #expect(read.remarks.contains { $0.contains(remark) && !$0.contains("column") }, "\(read)")
  }

  @Test(
    "a day in another language, or of a feast, is told where the time after it is read",
    arguments: ["montag", "Christmas"])
  func unknownDays(word: String) throws {
    let read = try line("Dinner \(word) 9:00")
    #expect(read.text == "Dinner \(word)" && read.time.map { "\($0)" } == "2026-11-22T09:00", "\(read)")
    #expect(read.remarks == ["'\(word)' is not a day that Belfry knows; it stays in the text"])
  }

  @Test(
    "a time of day is read after words that only resemble a date",
    arguments: [
      "Deploy 1.2.3", "Deploy 1.2", "Split 50/50", "Call April", "Meet Anna in room 5", "Movie night", "Plan A",
      "Book of the year", "Split 1/2 tomorrow", "Check in at", "Log in", "Turn in", "Laundry day", "Movie of the week",
    ])
  func clocks(text: String) throws {
    let read = try line("\(text) 9am")
    #expect(read.time.map { "\($0)" } == "2026-11-22T09:00", "\(read)")
  }
}
