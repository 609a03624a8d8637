import BelfryEngine
import BelfryModel
import CivilTime
import NaturalDates
import RecurrenceRules

/// A line that becomes an item: `Buy milk #Home tomorrow 9am`.
package struct EntryLine: Equatable, Sendable {
  /// The text of the item.
  package let text: String
  /// The parts of the line that are not text, as written, in the order of the line.
  package let marks: [String]
  /// The list that the line names.
  package let list: String?
  package let tags: ItemTags
  package let priority: ItemPriority.Level?
  package let rule: RecurrenceRule?
  /// The due date on the clock of floating items: the written one, or the first occurrence of the repeat.
  package let time: WallTime?
  /// The words that look like a mark and stay in the text, each with the reason.
  package let remarks: [String]

  /// The fields of the item.
  package var entry: ItemEntry {
    var entry = ItemEntry([.text: .text(text)])
    entry.values[.list] = list.map { .text($0) }
    entry.values[.tags] = tags.isEmpty ? nil : .texts(tags.names)
    entry.values[.priority] = priority.map { .text($0.rawValue) }
    entry.values[.due] = time.map { .text("\($0)") }
    entry.values[.repeat] = rule.map { .text("\($0)") }
    return entry
  }
}

extension EntryReader {
  /// The text and the marks of a line that becomes an item.
  ///
  /// At the end of the line, in any order: `#List`, `@tag`, `!high`, a repeat (`every friday 3pm`), a WHEN. A line in
  /// quotation marks or after a backslash is only text, without these marks.
  ///
  /// - Parameter lists: the names of the lists that it can name; all lists without it.
  /// - Throws: ``BelfryError`` `.badInput` for an empty text or more than one line; the errors of the store.
  package func line(_ text: String, lists: (() throws -> [String])? = nil) throws -> EntryLine {
    let line = try TextRules.line(text, what: "the text")
    if let plain = Self.unquoted(line) {
      return EntryLine(
        text: plain, marks: [], list: nil, tags: .empty, priority: nil, rule: nil, time: nil, remarks: [])
    }
    let names = lists ?? { try reading.view.lists().map(\.name) + [settings.defaultList] }
    let (parser, lists) = (parser(in: reading.planner.floatingZone), line.contains("#") ? try names() : [])
    func marks(_ line: String) -> LineMarks {
      LineMarks(line, parser, lists: lists) { firstOccurrence(of: $0, at: nil) != nil }
    }
    var read = marks(line)
    // In `Call Anna tomorrow!` the end of the sentence is not part of the time.
    if read.marks.isEmpty, line.last == "." || line.last == "!" {
      let sentence = marks(String(line.dropLast()))
      if !sentence.marks.isEmpty { read = sentence }
    }
    return EntryLine(
      text: read.text.trimmingWhitespace(), marks: read.marks, list: read.list, tags: read.tags,
      priority: read.priority, rule: read.rule, time: time(of: read), remarks: read.remarks)
  }

  /// The edit that makes the item of a line.
  ///
  /// - Throws: ``BelfryError`` for a repeat that the due date contradicts; the errors of the store.
  package func edit(_ line: EntryLine) throws -> ItemEdit {
    do {
      return try edit(line.entry, of: nil)
    } catch let error as ItemEntryFaults {
      throw error.faults.first?.error ?? error
    }
  }

  private func time(of marks: LineMarks) -> WallTime? {
    let due = marks.when.flatMap(marks.parser.time)
    guard let rule = marks.rule else { return due }
    // In `3pm every friday` the time belongs to the repeat.
    let clock = marks.when.flatMap(marks.parser.timeOfDay)
    return due != nil && (clock == nil || rule.hasClock) ? due : firstOccurrence(of: rule, at: clock)
  }

  /// The first occurrence of a rule after now, at a time of day, or else at the default time.
  private func firstOccurrence(of rule: RecurrenceRule, at time: TimeOfDay?) -> WallTime? {
    let now = reading.planner.floatingZone.wallTime(at: reading.now)
    let hour = TimeOfDay(minutesSinceMidnight: now.time.minutesSinceMidnight / 60 * 60)
    var start = WallTime(date: now.date, time: rule.hasClock ? hour : time ?? settings.defaultTime)
    if !rule.hasClock, start <= now { start = WallTime(date: now.date.adding(days: 1), time: start.time) }
    let set = RecurrenceSet(start: start.civil, rule: rule.withoutInterval)
    return set.isTooFarToCount ? nil : set.next(after: now.civil).map(WallTime.init(civil:))
  }

  private static let marks: [(Character, Character)] = [
    ("\"", "\""), ("\u{201C}", "\u{201D}"), ("\u{201E}", "\u{201C}"),
  ]

  private static func unquoted(_ line: String) -> String? {
    guard let first = line.first, let last = line.last else { return nil }
    let inside = String(line.dropFirst())
    if first == "\\", !inside.allSatisfy(\.isWhitespace) { return inside.trimmingWhitespace() }
    guard marks.contains(where: { $0 == (first, last) }), !inside.dropLast().allSatisfy(\.isWhitespace) else {
      return nil
    }
    return String(inside.dropLast()).trimmingWhitespace()
  }
}
