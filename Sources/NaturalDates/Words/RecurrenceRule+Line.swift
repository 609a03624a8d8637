import CivilTime
import RecurrenceRules

extension RecurrenceRule {
  /// True if words of a line start like a rule: `every other …`, `daily`, `on mondays`.
  package static func isBegun(by words: ArraySlice<Substring>) -> Bool {
    guard let first = words.first?.lowercased() else { return false }
    switch first {
    case "every", "each": return isPeriod(words.dropFirst())
    case "on": return words.dropFirst().first.map { isPlural($0.lowercased()) } ?? false || isDayOfEach(words)
    case "once", "twice", "times":
      return ["a", "per"].contains(words.dropFirst().first?.lowercased()) && isPeriod(words.dropFirst(2))
    case "biweekly", "bimonthly", "bi-weekly", "bi-monthly": return true
    default: return WordVocabulary.adverbs[first] != nil || isPlural(first) || isDayOfEach(words)
    }
  }

  /// True if the words of a rule name a part of the day without a known time, such as `every evening`.
  package static func lacksTime(_ words: ArraySlice<Substring>) -> Bool {
    words.contains { ["afternoon", "evening", "night"].contains($0.lowercased()) }
  }

  private static let fillers: Set = [
    "other", "few", "single", "couple", "of", "last", "alternate", "odd", "even", "half", "business", "school", "work",
    "working",
  ]

  /// True for words between `every` and its unit: `every other`, `every 3`.
  static func isFiller(_ word: String) -> Bool { fillers.contains(word) || WordVocabulary.number(word) != nil }

  /// True for `other tuesday`, `3 days`, `15th`, `few weeks`, but not for `other box`.
  private static func isPeriod(_ words: ArraySlice<Substring>) -> Bool {
    let plain = words.lazy.map { $0.lowercased().filter { $0 != "," } }
    guard let word = plain.first(where: { !isFiller($0) }) else { return false }
    return WordVocabulary.ordinal(word) != nil || WordVocabulary.unit(word) != nil
      || WordVocabulary.period(word) != nil || isPlural(word)
      || WordVocabulary.weekday(word) != nil || WordVocabulary.month(word) != nil
      || ["weekday", "weekend", "workday"].contains(word) || WordVocabulary.dayParts.contains(word)
  }

  /// The most words of a day of each month, so that a long line costs little.
  private static let mostDayWords = 12

  /// True for `on the 1st and 15th of every month` and `last friday of each year`.
  private static func isDayOfEach(_ words: ArraySlice<Substring>) -> Bool {
    let plain = words.prefix(mostDayWords).map { $0.lowercased().filter { $0 != "," } }
    guard let end = plain.firstIndex(of: "of"), ["every", "each"].contains(plain.dropFirst(end + 1).first),
      ["month", "year"].contains(plain.dropFirst(end + 2).first)
    else { return false }
    let days = plain[..<end]
    return days.contains { WordVocabulary.ordinal($0) != nil }
      && days.allSatisfy { word in
        ["on", "the", "and", "&", "day", "weekday"].contains(word) || WordVocabulary.ordinal(word) != nil
          || WordVocabulary.weekday(word) != nil
      }
  }

  /// True for `weekdays`, `workdays`, `weekends` and `fridays`.
  private static func isPlural(_ word: String) -> Bool {
    ["weekdays", "weekends", "workdays"].contains(word) || Weekday.allCases.contains { word == "\($0.name)s" }
  }
}
