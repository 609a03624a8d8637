import CivilTime

extension WhenParser {
  /// The most words of a WHEN in a line.
  package static let mostWords = 12

  /// The WHEN at the end of a line's words: the place of its first word, and its wall time.
  ///
  /// At least one word stands before it. Of several the longest counts. `nil` for none, for a time that is past, and for
  /// one that belongs to the word before it: `from 9:00 to 17:00`. The `by` of `by friday` is part of the WHEN.
  package func whenAtEnd(of words: ArraySlice<Substring>) -> (start: Int, time: WallTime)? {
    for start in words.indices.dropFirst().suffix(Self.mostWords) {
      guard let time = time(of: words[start...].written[...]) else { continue }
      let hasBy = start - 1 > words.startIndex && words[start - 1].lowercased() == "by"
      return isAhead(time) && !Self.isBound(toWordBefore: start, of: words) ? (hasBy ? start - 1 : start, time) : nil
    }
    return nil
  }

  /// The WHEN at the beginning of a line's words: the place after its last word, and its wall time.
  ///
  /// At least one word follows it; a time that is past does not count. Many texts begin with the name of a day or a
  /// number (`Sunday roast`, `1st floor`). So a WHEN counts only if it has a clock time, a year or an amount, or if a
  /// comma or colon follows: `Friday: call Anna`.
  package func whenAtStart(of words: ArraySlice<Substring>) -> (end: Int, time: WallTime)? {
    for end in words.indices.dropFirst().prefix(Self.mostWords).reversed() {
      let written = words[..<end].written[...]
      let isSetOff = [",", ":"].contains(written.last)
      let when = isSetOff ? written.dropLast() : written
      guard isSetOff || Self.isCertain(when), let time = time(of: when) else { continue }
      return isAhead(time) ? (end, time) : nil
    }
    return nil
  }

  /// The time of day of a WHEN that says nothing else: `3pm`, `at 8:00`; `nil` for any other text.
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

  /// True if a phrase cannot be taken out of a line without leaving behind a word that belongs to it: `from 9:00 to`.
  package static func isBound(toWordBefore start: Int, of words: ArraySlice<Substring>) -> Bool {
    start > words.startIndex && bindingWords.contains(words[start - 1].lowercased())
  }

  private static let bindingWords: Set = [
    "to", "until", "till", "from", "since", "before", "after", "between", "and", "or", "than", "for", "of", "in", "on",
    "at", "the", "a", "an", "this", "next", "last", "other", "not", "no", "my", "our", "your", "his", "her", "their",
  ]

  private func time(of when: Substring) -> WallTime? {
    guard case .at(let time)? = try? parse(String(when)) else { return nil }
    return time
  }

  private func isAhead(_ time: WallTime) -> Bool { zone.instant(of: time).instant > now }

  /// True if a WHEN has a clock time, a year or an amount.
  private static func isCertain(_ when: Substring) -> Bool {
    let words = when.lowercased().split { $0.isWhitespace || $0 == "," }
    guard let first = words.first, when.contains(where: \.isNumber) || first == "in" else { return false }
    return first == "in" || first.hasPrefix("+")
      || words.contains { word in
        word.contains(":") || ["am", "pm"].contains { word.hasSuffix($0) }
          || word.prefix { $0.isNumber }.count == 4
      }
  }
}

extension ArraySlice<Substring> {
  /// The text from the first to the last of these words of one line, as written.
  package var written: String {
    guard let first, let last else { return "" }
    return String(first.base[first.startIndex..<last.endIndex])
  }
}
