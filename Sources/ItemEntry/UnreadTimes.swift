import CivilTime
import NaturalDates
import RecurrenceRules

/// Words that look like a part of a time, but that no WHEN and no repeat has.
extension LineMarks {
  /// True if the words end in a date or a repeat that is not read: `feb 30`, `next weekend`, `3x daily`. A time of day
  /// after it belongs to it.
  var endsInUnreadTime: Bool { dateStart(before: words.endIndex) != nil || endsInUnreadRepeat }

  /// True if the words end in a part of a WHEN that names a day: `next week` or `in 2 weeks` before `sunday`, `friday`
  /// before `13th`.
  func endsInPart(of when: String) -> Bool {
    let first = when.split(separator: " ").first { !["on", "the"].contains($0.lowercased()) }
    if WhenParser.isOrdinal(String(first ?? "")), isWeekday(words.endIndex - 1) { return true }
    if words.count > 3, plain(words.endIndex - 3) == "in", parser.time(of: words.suffix(3).written) != nil {
      return true
    }
    return words.count > 2 && Self.partsOfTime.contains(plain(words.endIndex - 1))
      && ["next", "this"].contains(plain(words.endIndex - 2))
  }

  private var endsInUnreadRepeat: Bool {
    if words.count > 2, ["a", "per"].contains(plain(words.endIndex - 2)), Self.isUnit(plain(words.endIndex - 1)) {
      return true
    }
    return words.indices.suffix(WhenParser.mostWords).contains { start in
      let phrase = words[start...]
      // `twice a day` and `daily for 2 weeks` are no repeats that Belfry knows.
      return RecurrenceRule.isBegun(by: phrase) && (rule(of: phrase) != nil || phrase.count <= 4)
    }
  }

  /// The place of the time of day at the end of the words; `nil` if there is none.
  var clockStart: Int? {
    words.indices.suffix(3).first { parser.timeOfDay(words[$0...].written) != nil }
  }

  /// The place of the first word of a date that ends before a place: `5/12`, `feb 30`, `thu 1430`, `in 45 seconds`,
  /// `next weekend`; `nil` for none.
  func dateStart(before end: Int) -> Int? {
    guard end > words.startIndex else { return nil }
    let last = plain(end - 1)
    if last.looksLikeDate || (last.first?.isNumber == true && last.endsInOrdinal) { return end - 1 }
    guard end - 1 > words.startIndex else { return nil }
    let before = plain(end - 2)
    if last.isClockWithoutColon, isWeekday(end - 2) { return end - 2 }
    // `friday 5` and `at 5` may be in the morning or the afternoon.
    if ["1", "2", "3", "4", "5", "6"].contains(last) {
      let day = before == "at" ? end - 2 : end - 1
      let start = words[..<day].indices.suffix(3).first { parser.time(of: words[$0..<day].written) != nil }
      if start != nil || before == "at" { return start ?? end - 2 }
    }
    if (WhenWords.month(before) != nil && last.isNumber) || (before == "from" && Self.fromWords.contains(last)) {
      return end - 2
    }
    // Names of months alone are names of people too.
    if WhenWords.month(last) != nil {
      return before.isRange || ["in", "next", "this"].contains(before) ? end - 2 : partStart(of: end - 2)
    }
    if end - 2 > words.startIndex, plain(end - 3) == "in", before.first?.isNumber == true, Self.isUnit(last) {
      return end - 3
    }
    guard Self.partsOfTime.contains(last) else { return nil }
    if before == "of" || before == "the", let start = partStart(of: before == "the" ? end - 3 : end - 2) {
      return start
    }
    return words[..<(end - 1)].indices.suffix(3).first { start in
      ["next", "this"].contains(plain(start)) || (start == end - 2 && plain(start).isNumber)
        || parser.time(of: words[start..<(end - 1)].written) != nil
    }
  }

  /// The place of `friday` or `end` before the `of` at a place, as in `last friday of december`; `nil` for any other.
  private func partStart(of place: Int) -> Int? {
    guard place > words.startIndex, plain(place) == "of" else { return nil }
    let word = plain(place - 1)
    return isWeekday(place - 1) || word.endsInOrdinal || Self.partsOfMonths.contains(word) ? place - 1 : nil
  }

  private static func isUnit(_ word: String) -> Bool {
    units.contains(word.last == "s" ? String(word.dropLast()) : word)
  }

  private func plain(_ place: Int) -> String { words[place].lowercased().filter { $0 != "," } }

  private static let fromWords: Set = ["now", "today", "tomorrow"]

  private static let partsOfMonths: Set = ["start", "beginning", "middle", "end", "first", "last", "day", "weekday"]

  private static let units: Set = ["second", "sec", "minute", "min", "hour", "day", "week", "month", "year"]

  /// Words that can end a time which is not read.
  private static let partsOfTime: Set = [
    "week", "weekend", "month", "year", "afternoon", "evening", "night", "o'clock", "uhr",
  ]
}

extension StringProtocol {
  fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy { 0x30...0x39 ~= $0 } }

  /// True for `1430`.
  fileprivate var isClockWithoutColon: Bool {
    count == 4 && isNumber && (Int(self).map { $0 < 2_400 && $0 % 100 < 60 } ?? false)
  }

  /// True for `3` and `3-5`.
  fileprivate var isRange: Bool { split(whereSeparator: { "-\u{2013}".contains($0) }).allSatisfy(\.isNumber) }

  /// True for `1st` and `3rd-5th`.
  fileprivate var endsInOrdinal: Bool {
    split(whereSeparator: { "-\u{2013}".contains($0) }).last.map { WhenParser.isOrdinal(String($0)) } ?? false
  }

  /// True for `5/12`, `24.12`, `3.12.`, `31.2.2026` and `2026-12-24`.
  fileprivate var looksLikeDate: Bool {
    let parts = split(whereSeparator: { "/.-".contains($0) })
    guard parts.allSatisfy({ $0.isNumber && $0.count <= 4 }) else { return false }
    // `1.2` and `1.2.3` are also numbers of versions, `50/50` is a share.
    if parts.count == 3 { return parts[0].count == 4 || [2, 4].contains(parts[2].count) }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ 1...31 ~= $0 }), numbers.contains(where: { $0 <= 12 }) else {
      return false
    }
    return contains("/") || last == "." || (contains(".") && parts.allSatisfy { $0.count == 2 })
  }
}

extension Substring {
  /// True for `25:00`, `5/12`, `31.2.2026`, `2026-12-24`, `13pm` and `~8pm`.
  var looksLikeClock: Bool {
    // `~8pm` is about 8 pm.
    if first == "~" { return dropFirst().looksLikeClock }
    guard first?.isNumber == true else { return false }
    let isDate = [".", "-"].contains { separator in filter { $0 == separator }.count > 1 }
    return isDate || contains(":") || contains("/")
      || ["am", "pm"].contains {
        lowercased().hasSuffix($0) && dropLast(2).allSatisfy { $0.isNumber || ":.-".contains($0) }
      }
  }
}
