import CivilTime
import RecurrenceRules

extension WhenParser {
  /// The most words of a WHEN in a line.
  package static let mostWords = 12

  /// The WHEN at the end of a line's words: the place of its first word, the place of the word that leads to it, such
  /// as `by` in `by friday`, or else the same place, and its wall time.
  ///
  /// At least one word is before it, and the longest WHEN counts. `nil` for none, for a past time, and for a WHEN that
  /// belongs to the word before it: `from 9:00 to 17:00`.
  ///
  /// - Parameter rest: the second part of the WHEN, elsewhere in the line, such as `9am` in `friday #Work 9am`.
  package func whenAtEnd(
    of words: ArraySlice<Substring>, and rest: String? = nil
  ) -> (lead: Int, start: Int, time: WallTime)? {
    for start in words.indices.dropFirst().suffix(Self.mostWords) {
      let phrase = [words[start...].written, rest].compactMap(\.self).joined(separator: " ")
      guard let time = time(of: phrase) else { continue }
      let lead = Self.leads(to: start, of: words) ? start - 1 : start
      // `Come in 1st` names no day, but `by 1st` and `on the 1st` do.
      if lead == start, Self.isOrdinal(phrase) { return nil }
      return isAhead(time) && !Self.isBound(toWordBefore: lead, of: words) ? (lead, start, time) : nil
    }
    return nil
  }

  /// The wall time of a WHEN other than `none`; `nil` for any other text.
  package func time(of phrase: String) -> WallTime? {
    guard case .at(let time)? = try? parse(phrase) else { return nil }
    return time
  }

  /// The time of day of a WHEN that has nothing else: `3pm`, `at 8:00`; `nil` for any other text.
  package func timeOfDay(_ text: String) -> TimeOfDay? {
    guard var reader = try? WhenReader(text, today: zone.wallTime(at: now).date),
      let expression = try? reader.expression(), expression.day == nil, expression.span == nil
    else { return nil }
    switch expression.time {
    case .at(let time): return time
    case .midnight: return TimeOfDay(hour: 0, minute: 0)
    case nil: return nil
    }
  }

  /// True if a wall time is in the future.
  package func isAhead(_ time: WallTime) -> Bool { zone.instant(of: time).instant > now }

  /// True if the word before a phrase belongs to it and would stay behind in the text: `from 9:00 to`.
  package static func isBound(toWordBefore start: Int, of words: ArraySlice<Substring>) -> Bool {
    guard start > words.startIndex else { return false }
    // `Vitamin A` is a name, `a friday` is not.
    if words[start - 1] == "A", start - 1 > words.startIndex { return false }
    if hasOpenRepeat(before: start, of: words) { return true }
    let word = words[start - 1].lowercased()
    // `in` and `on` belong to the verb in `Check in monday` and `Log on daily`.
    if ["in", "on"].contains(word), namesTime(words[start...]) { return false }
    return bindingWords.contains(word) || dashes.contains(words[start - 1])
      || (word.last == "x" && word.dropLast().allSatisfy(\.isNumber))
  }

  /// True for `1st` and `20th`.
  package static func isOrdinal(_ phrase: String) -> Bool {
    ["st", "nd", "rd", "th"].contains(phrase.suffix(2).lowercased()) && !phrase.dropLast(2).isEmpty
      && phrase.dropLast(2).allSatisfy(\.isNumber)
  }

  private static let leadingWords: Set = ["by", "@", "starting", "beginning"]

  private static let bindingWords: Set = [
    "to", "until", "till", "from", "since", "before", "after", "between", "and", "or", "than", "for", "of", "in", "on",
    "at", "the", "a", "an", "this", "next", "last", "other", "not", "no", "my", "our", "your", "his", "her", "their",
    "about", "around", "like", "is", "are", "was", "were", "every", "each",
    "once", "twice", "thrice", "times", "&", "+", "except", "excluding", "but", "without",
  ]

  /// True if words before a phrase begin a repeat that has no unit: `every 3` before `fridays`, `every!`.
  package static func hasOpenRepeat(before start: Int, of words: ArraySlice<Substring>) -> Bool {
    let rest = words[..<start].suffix(mostWords).reversed().map { $0.lowercased().filter { !",.!?:;".contains($0) } }
    return ["every", "each"].contains(rest.first { !RecurrenceRule.isFiller($0) })
  }

  /// True if a phrase begins with a day, a repeat or a time of day, which neither `in` nor `on` leads to.
  private static func namesTime(_ phrase: ArraySlice<Substring>) -> Bool {
    guard let word = phrase.first?.lowercased().filter({ $0 != "," }) else { return false }
    return ["today", "tomorrow", "tonight", "next", "at"].contains(word) || WhenWords.weekday(word) != nil
      || RecurrenceRule.isBegun(by: phrase) || word.contains(":")
      || ["am", "pm"].contains { word.hasSuffix($0) && word.dropLast(2).last?.isNumber == true }
  }

  private static let dashes: Set<Substring> = ["-", "\u{2013}", "\u{2014}"]

  // A dash between two numbers or weekdays makes a range: `9:00 - 17:00`.
  private static func leads(to start: Int, of words: ArraySlice<Substring>) -> Bool {
    guard start - 1 > words.startIndex else { return false }
    let (word, before) = (words[start - 1], words[start - 2])
    return leadingWords.contains(word.lowercased())
      || (dashes.contains(word) && !before.contains(where: \.isNumber)
        && WhenWords.weekday(before.lowercased()) == nil)
  }
}

extension ArraySlice<Substring> {
  /// The text from the first to the last of these words of one line, as written.
  package var written: String {
    guard let first, let last else { return "" }
    return String(first.base[first.startIndex..<last.endIndex])
  }
}
