import CivilTime
import NaturalDates
import RecurrenceRules

/// A part of a line that is no text of the item but sets one of its fields.
package struct LineMark: Equatable, Sendable {
  /// The meaning of a mark.
  package enum Meaning: Equatable, Sendable {
    /// The name of the item's list.
    case list(String)
    /// The repeat, with the time of day written behind it.
    case `repeat`(RecurrenceRule, at: TimeOfDay?)
    /// The due date.
    case due(WallTime)
  }

  /// The part, as written.
  package let written: String
  package let meaning: Meaning
}

/// Reads the marks of a line, from its end to its text. A mark is taken whole or left whole, one of each kind.
struct LineMarks {
  /// The kinds of marks.
  private enum Kind: CaseIterable {
    case list, `repeat`, due
  }

  /// A mark with the place of its first word.
  private typealias Found = (start: Int, meaning: LineMark.Meaning)

  private static let repeatStarts: Set = ["every", "each", "daily", "weekly", "monthly", "yearly", "weekdays"]

  private let parser: WhenParser
  /// The list that a name stands for; `nil` for none.
  private let list: (String) throws -> String?
  /// True if a rule has an occurrence, from now on.
  private let occurs: (RecurrenceRule) -> Bool
  private var kinds = Kind.allCases
  /// The words of the text.
  private var words: ArraySlice<Substring>
  /// The marks, in the order of the line.
  private(set) var marks: [LineMark] = []
  /// The text without the marks.
  var text: String { String(words.written.reversed().drop { !marks.isEmpty && $0 == "," }.reversed()) }

  /// The marks of a line.
  ///
  /// - Throws: what `list` throws.
  init(
    _ line: String, _ parser: WhenParser, list: @escaping (String) throws -> String?,
    occurs: @escaping (RecurrenceRule) -> Bool
  ) throws {
    (self.parser, self.list, self.occurs) = (parser, list, occurs)
    words = line.split(whereSeparator: \.isWhitespace)[...]
    while let (kind, found) = try longestMark() {
      marks.insert(LineMark(written: words[found.start...].written, meaning: found.meaning), at: 0)
      words = words[..<found.start]
      kinds.removeAll { $0 == kind || ($0 == .due && found.meaning.hasTime) }
    }
    if kinds.contains(.due), let (end, time) = parser.whenAtStart(of: words), Self.isText(words[end...]) {
      let written = words[..<end].written.reversed().drop { $0 == "," || $0 == ":" }.reversed()
      marks.insert(LineMark(written: String(written), meaning: .due(time)), at: 0)
      words = words[end...]
      kinds.removeAll { $0 == .due }
    }
  }

  private func longestMark() throws -> (Kind, Found)? {
    let found = try kinds.compactMap { kind in try mark(kind).map { (kind, $0) } }
    return found.filter { Self.isText(words[..<$0.1.start]) }.min { $0.1.start < $1.1.start }
  }

  private static func isText(_ words: ArraySlice<Substring>) -> Bool {
    words.contains { !$0.allSatisfy { $0 == "," } }
  }

  private func mark(_ kind: Kind) throws -> Found? {
    switch kind {
    case .list:
      for start in starts where words[start].first == "#" {
        if let name = try list(name(from: start)) { return (start, .list(name)) }
      }
      return nil
    case .repeat: return starts.lazy.filter(beginsRepeat).compactMap(repetition).first
    case .due:
      guard let (start, time) = parser.whenAtEnd(of: words), !isInRepeat(start) else { return nil }
      return (start, .due(time))
    }
  }

  /// The places where a mark at the end can begin, that of the longest first.
  private var starts: ArraySlice<Int> { Array(words.indices.dropFirst())[...].suffix(WhenParser.mostWords) }

  private func name(from start: Int) -> String {
    String(words[start...].written.dropFirst().reversed().drop { $0 == "," }.reversed())
  }

  private func beginsRepeat(_ place: Int) -> Bool {
    let isOnWeekdays =
      words[place].lowercased() == "on" && place + 1 < words.endIndex && words[place + 1].lowercased() == "weekdays"
    return isOnWeekdays || Self.repeatStarts.contains(words[place].lowercased())
  }

  private func repetition(from start: Int) -> Found? {
    guard !WhenParser.isBound(toWordBefore: start, of: words) else { return nil }
    let phrase = words[start...]
    for count in (1...3).reversed() where count < phrase.count {
      guard let time = parser.timeOfDay(phrase.suffix(count).written), let rule = rule(phrase.dropLast(count)),
        !rule.hasClock
      else { continue }
      return (start, .repeat(rule, at: time))
    }
    return rule(phrase).map { (start, .repeat($0, at: nil)) }
  }

  private func rule(_ phrase: ArraySlice<Substring>) -> RecurrenceRule? {
    guard let rule = try? RecurrenceRule(words: phrase.written), occurs(rule) else { return nil }
    return rule
  }

  /// True if a time would be cut out of a repeat that is not understood: `every 3rd friday`.
  private func isInRepeat(_ start: Int) -> Bool {
    (words.startIndex..<start).suffix(WhenParser.mostWords).contains { place in
      let before = words[place..<start]
      return beginsRepeat(place) && rule(before) == nil && before.dropFirst().allSatisfy(RecurrenceRule.isWord)
    }
  }
}

// MARK: What was not taken

extension LineMarks {
  /// What the text's end looks like, and why it stays there; empty if it looks like no mark.
  var remarks: [String] {
    [listRemark, repeatRemark ?? timeRemark].compactMap(\.self).map { "\($0); it stays in the text" }
  }

  private var listRemark: String? {
    guard let word = words.last, word.first == "#", word.dropFirst().first?.isLetter == true else { return nil }
    let named = try? list(String(word.dropFirst()))
    return "'\(word)' " + (named == nil ? "names no list" : "is not taken for the list")
  }

  private var repeatRemark: String? {
    guard let start = words.indices.suffix(WhenParser.mostWords).last(where: beginsRepeat), start > words.startIndex,
      words[start...].dropFirst().first.map(RecurrenceRule.isWord) ?? (rule(words[start...]) != nil),
      words[start...].suffix(1).allSatisfy({ RecurrenceRule.isWord($0) || $0.contains(where: \.isNumber) })
    else { return nil }
    let phrase = words[start...].written
    do throws(RecurrenceRuleError) {
      _ = try RecurrenceRule(words: phrase)
      return "'\(phrase)' " + (kinds.contains(.repeat) ? "is not taken for a repeat" : "is a second repeat")
    } catch {
      return "'\(phrase)' is no repeat: \(error)"
    }
  }

  private var timeRemark: String? {
    for start in words.indices.suffix(WhenParser.mostWords) {
      let phrase = words[start...].written
      guard case .at? = try? parser.parse(phrase) else { continue }
      return "'\(phrase)' " + (kinds.contains(.due) ? "is not taken for the due date" : "is a second time")
    }
    guard let word = words.last, word.looksLikeTime else { return nil }
    do throws(WhenError) {
      _ = try parser.parse(String(word))
      return nil
    } catch {
      return error.message
    }
  }
}

extension LineMark.Meaning {
  /// True if it says when the item is due.
  fileprivate var hasTime: Bool {
    if case .repeat(_, at: _?) = self { true } else { false }
  }
}

extension RecurrenceRule {
  /// True if it has times of day of its own.
  var hasClock: Bool { !hours.isEmpty || !minutes.isEmpty || [.hourly, .minutely].contains(frequency) }
}

extension Substring {
  /// True for `25:00`, `5/12`, `31.2.2026` and `13pm`.
  fileprivate var looksLikeTime: Bool {
    guard first?.isNumber == true else { return false }
    return contains(":") || contains("/") || filter { $0 == "." }.count > 1
      || ["am", "pm"].contains { lowercased().hasSuffix($0) && dropLast(2).allSatisfy(\.isNumber) }
  }
}
