import BelfryModel
import CivilTime
import ItemEntry
import Testing

@Suite("Lines that become items", .timeLimit(.minutes(5)))
struct EntryLineTests {
  private let bench = EntryBench()

  private func line(_ text: String) throws -> EntryLine { try bench.read { try $0.line(text) } }

  @Test(
    "a time at the end or the beginning is the due date",
    arguments: [
      ("Buy milk tomorrow 9am", "Buy milk", "tomorrow 9am", "2026-11-22T09:00"),
      ("tomorrow 9am Buy milk", "Buy milk", "tomorrow 9am", "2026-11-22T09:00"),
      ("  10:30 Call Anna ", "Call Anna", "10:30", "2026-11-21T10:30"),
      ("Friday: call Anna", "call Anna", "Friday", "2026-11-27T09:00"),
      ("in 2 weeks, pay the rent", "pay the rent", "in 2 weeks", "2026-12-05T09:00"),
      ("Watch \"Friday\" tomorrow", "Watch \"Friday\"", "tomorrow", "2026-11-22T09:00"),
    ])
  func dated(line: String, text: String, words: String, time: String) throws {
    let read = try self.line(line)
    #expect(read.text == text && read.dueWords == words && read.time.map { "\($0)" } == time, "\(read)")
    let edit = try bench.read { try $0.edit(read.entry, of: nil) }
    #expect(edit.text == text && edit.due == read.time.map { .at($0) } && edit.shouldRemind == true)
  }

  @Test(
    "any other line is a text",
    arguments: [
      ("Buy milk", "Buy milk"), ("Call 10:30 Anna", "Call 10:30 Anna"), ("Sunday roast", "Sunday roast"),
      ("1st floor", "1st floor"), ("tomorrow", "tomorrow"), ("\"Buy milk tomorrow 9am\"", "Buy milk tomorrow 9am"),
      ("\u{201C}Back to 9:30\u{201D}", "Back to 9:30"), ("\\Buy milk tomorrow 9am", "Buy milk tomorrow 9am"),
      ("Read \"The day after tomorrow\"", "Read \"The day after tomorrow\""), ("\\", "\\"), ("\"\"", "\"\""),
      ("\"", "\""),
    ])
  func text(line: String, text: String) throws {
    let read = try self.line(line)
    #expect(read == (try self.line(line)) && read.text == text && read.dueWords == nil && read.time == nil, "\(read)")
    #expect(read.entry == ItemEntry([.text: .text(text)]))
  }

  @Test("an empty line, or several, are refused", arguments: ["", " ", "a\nb"])
  func refused(text: String) {
    #expect(throws: BelfryError.self) { try line(text) }
  }
}
