import BelfryModel
import CivilTime
import ItemEntry
import Testing

@Suite("Lines that become items")
struct EntryLineTests {
  private let fixture = EntryFixture()

  private func line(_ text: String) throws -> EntryLine { try fixture.read { try $0.line(text) } }

  @Test(
    "a time at the end is the due date",
    arguments: [
      ("Buy milk tomorrow 9am", "Buy milk", "tomorrow 9am", "2026-11-22T09:00"),
      ("  Call Anna\t 10:30 ", "Call Anna", "10:30", "2026-11-21T10:30"),
      ("Pay the rent, in 2 weeks", "Pay the rent", "in 2 weeks", "2026-12-05T09:00"),
      ("Call Anna tomorrow!", "Call Anna", "tomorrow", "2026-11-22T09:00"),
      ("Call Anna at 7.30pm.", "Call Anna", "at 7.30pm", "2026-11-21T19:30"),
      ("Call Anna 8 p.m.", "Call Anna", "8 p.m.", "2026-11-21T20:00"),
      ("Call Anna tonight at 8 p.m.", "Call Anna", "tonight at 8 p.m.", "2026-11-21T20:00"),
      ("Trip in a fortnight", "Trip", "in a fortnight", "2026-12-05T09:00"),
      ("Pay by 24.12.", "Pay", "by 24.12.", "2026-12-24T09:00"),
      ("Dentist @ 3pm", "Dentist", "@ 3pm", "2026-11-21T15:00"),
      ("Dentist \u{2013} tomorrow 3pm", "Dentist", "\u{2013} tomorrow 3pm", "2026-11-22T15:00"),
      ("Watch \"Friday\" tomorrow", "Watch \"Friday\"", "tomorrow", "2026-11-22T09:00"),
      ("Call Anna, by friday", "Call Anna", "by friday", "2026-11-27T09:00"),
    ])
  func dated(line: String, text: String, words: String, time: String) throws {
    let read = try self.line(line)
    #expect(
      read.text == text && read.marks == [words] && read.time.map { "\($0)" } == time, "\(read)")
    let edit = try fixture.read { try $0.edit(read.entry, of: nil) }
    #expect(edit.text == text && edit.due == read.time.map { .at($0) } && edit.shouldRemind == true)
  }

  @Test(
    "any other line is a text",
    arguments: [
      ("Buy milk", "Buy milk"), ("Call 10:30 Anna", "Call 10:30 Anna"), ("Sunday roast", "Sunday roast"),
      ("1st floor", "1st floor"), ("tomorrow", "tomorrow"), ("\"Buy milk tomorrow 9am\"", "Buy milk tomorrow 9am"),
      ("\u{201C}Back to 9:30\u{201D}", "Back to 9:30"), ("\\Buy milk tomorrow 9am", "Buy milk tomorrow 9am"),
      ("Read \"The day after tomorrow\"", "Read \"The day after tomorrow\""), ("\\", "\\"), ("\"\"", "\"\""),
      ("\"", "\""), (", tomorrow", ", tomorrow"), ("tomorrow 9am Buy milk", "tomorrow 9am Buy milk"),
      ("10:30 Call Anna", "10:30 Call Anna"), ("Friday: call Anna", "Friday: call Anna"),
      ("in 2 weeks, pay the rent", "in 2 weeks, pay the rent"), ("Open 9:00 - 17:00", "Open 9:00 - 17:00"),
    ])
  func text(line: String, text: String) throws {
    let read = try self.line(line)
    #expect(read == (try self.line(line)) && read.text == text && read.marks.isEmpty && read.time == nil, "\(read)")
    #expect(read.entry == ItemEntry([.text: .text(text)]))
  }

  @Test("an empty line, or several, are refused", arguments: ["", " ", "a\nb"])
  func refused(text: String) {
    #expect(throws: BelfryError.self) { try line(text) }
  }
}
