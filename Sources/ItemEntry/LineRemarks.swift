import CivilTime
import ConfigKeys
import NaturalDates
import RecurrenceRules

extension LineMarks {
  /// The words at the end of the text in which marks are searched for. A longer text is prose, and may be a megabyte.
  private static let mostWords = 100

  /// The parts of the text that look like marks, and why they stay there; empty for none.
  var remarks: [String] {
    [listRemark, repeatRemark ?? timeRemark ?? dayRemark].compactMap(\.self).map { "\($0); it stays in the text" }
  }

  /// The reason why a phrase of the text is not a mark.
  private func reason(_ phrase: Range<Int>, isSecond: Bool) -> String {
    if isSecond { return "is one too many" }
    if phrase.upperBound < words.endIndex { return "is not at the end of the line" }
    if phrase.lowerBound == words.startIndex { return "is the only text" }
    let word = words[phrase.lowerBound]
    if phrase.count == 1, WhenParser.isOrdinal(String(word)) {
      return "could be a day or a place: write 'on the \(word)'"
    }
    return "belongs to '\(words[phrase.lowerBound - 1])' before it"
  }

  private var listRemark: String? {
    let last = words.suffix(Self.mostWords)
    guard let place = last.lastIndex(where: { $0.first == "#" && $0.dropFirst().first?.isLetter == true }) else {
      return nil
    }
    let ends = (place + 1...words.endIndex).prefix(WhenParser.mostWords)
    if let end = ends.last(where: { namedList(words[place..<$0]) != nil }) {
      return "'\(words[place..<end].written)' \(reason(place..<end, isSecond: list != nil))"
    }
    let nearest = Suggestion.nearest(to: String(words[place].dropFirst()), among: lists)
    return "'\(words[place])' names no list" + (nearest.map { " (did you mean '#\($0)'?)" } ?? "")
  }

  private var repeatRemark: String? {
    for start in words.indices.suffix(Self.mostWords).reversed()
    where RecurrenceRule.isBegun(by: words[start...]) && !WhenParser.hasOpenRepeat(before: start, of: words) {
      let phrase = words[start...].prefix(WhenParser.mostWords)
      if let ended = try? RecurrenceRule(words: phrase.written), !occurs(ended) {
        return "'\(phrase.written)' has no later occurrence"
      }
      let ends = (start + 1...words.endIndex).prefix(WhenParser.mostWords)
      if let end = ends.last(where: { rule(of: words[start..<$0]) != nil }), !isWeekday(end) {
        // Within a text, `weekly` and `Mondays` describe something: a weekly report.
        guard end == words.endIndex || ["every", "each"].contains(words[start].lowercased()) else { continue }
        let phrase = words[start..<end].written
        guard rule != nil || !RecurrenceRule.lacksTime(words[start..<end]) else {
          return "'\(phrase)' has no time of day: write it after, such as '\(phrase) 8pm'"
        }
        return "'\(phrase)' \(reason(start..<end, isSecond: rule != nil))"
      }
      do throws(RecurrenceRuleError) {
        _ = try RecurrenceRule(words: phrase.written)
      } catch {
        return "'\(phrase.written)' is not a repeat: \(error.message)"
      }
    }
    return nil
  }

  private var timeRemark: String? {
    if let misreadTime { return misreadTime }
    for start in words.indices.suffix(Self.mostWords) {
      for end in (start + 1...words.endIndex).prefix(WhenParser.mostWords).reversed() {
        let phrase = words[start..<end]
        guard end == words.endIndex || phrase.looksLikeTime, let time = parser.time(of: phrase.written) else {
          continue
        }
        let isPast = when == nil && end == words.endIndex && !parser.isAhead(time)
        return "'\(phrase.written)' " + (isPast ? "is already past" : reason(start..<end, isSecond: when != nil))
      }
    }
    return nil
  }

  /// A day before a time of day that was read without it.
  private var dayRemark: String? {
    guard let word = words.last, Self.unknownDays.contains(word.lowercased()),
      when.flatMap(parser.timeOfDay) != nil
    else { return nil }
    return "'\(word)' is not a day that Belfry knows"
  }

  private static let unknownDays: Set = [
    "christmas", "xmas", "easter", "halloween", "thanksgiving", "montag", "dienstag", "mittwoch", "donnerstag",
    "freitag", "samstag", "sonntag", "heute", "morgen", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi",
    "dimanche", "demain",
  ]

  /// The error of the time at the apparent end of the text; `nil` for none.
  private var misreadTime: String? {
    let end = clockStart ?? words.endIndex
    guard let start = dateStart(before: end) ?? (words.last?.looksLikeClock == true ? words.endIndex - 1 : nil) else {
      return nil
    }
    do throws(WhenError) {
      _ = try parser.parse(words[start...].written)
      return nil
    } catch {
      return error.message
    }
  }
}

extension ArraySlice<Substring> {
  /// True for a WHEN that is hardly ambiguous: `10:30`, `tomorrow`, `on friday`, but not `Sunday` and `the 1st`.
  fileprivate var looksLikeTime: Bool {
    let words = map { $0.lowercased() }
    if words.contains(where: { ["today", "tomorrow", "tonight"].contains($0) }) { return true }
    if contains(where: \.looksLikeClock) { return true }
    return words.filter { !["the", "at"].contains($0) }.count > 1
  }
}
