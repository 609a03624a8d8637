import CivilTime
import RecurrenceRules

/// The English words for the parts of rules.
enum WordVocabulary {
  static let months = (1...12).map { WhenWords.name(ofMonth: $0).lowercased() }

  static let ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]

  static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// Words for a frequency and interval.
  static let adverbs: [String: RecurrenceRule.Period] = [
    "hourly": .init(.hourly), "daily": .init(.daily), "weekly": .init(.weekly), "fortnightly": .init(.weekly, 2),
    "monthly": .init(.monthly), "quarterly": .init(.monthly, 3), "yearly": .init(.yearly), "annually": .init(.yearly),
  ]

  /// Every word that may start a clause or follow `every`, for suggestions.
  static let known =
    ["every", "weekdays", "weekends", "on", "in", "at", "only", "until", "times", "once", "last", "other"]
    + adverbs.keys.sorted() + units.keys.sorted() + longUnits.keys.sorted() + Weekday.allCases.map(\.name) + months

  /// Parts of a day: `every morning` is every day.
  static let dayParts: Set = ["morning", "afternoon", "evening", "night"]

  static let units: [String: RecurrenceRule.Frequency] = [
    "minute": .minutely, "hour": .hourly, "day": .daily, "week": .weekly, "month": .monthly, "year": .yearly,
  ]

  static let workingWeek: [RecurrenceRule.OrdinalWeekday] =
    Weekday.allCases.prefix(5).map { .init(ordinal: nil, weekday: $0) }

  static let weekend: [RecurrenceRule.OrdinalWeekday] =
    Weekday.allCases.suffix(2).map { .init(ordinal: nil, weekday: $0) }

  /// Units that are several of another unit.
  static let longUnits: [String: RecurrenceRule.Period] = [
    "fortnight": .init(.weekly, 2), "quarter": .init(.monthly, 3),
  ]

  /// The short forms of units: `8h`, `30 min`.
  private static let shortUnits: [String: RecurrenceRule.Frequency] = [
    "min": .minutely, "h": .hourly, "hr": .hourly, "d": .daily, "w": .weekly, "wk": .weekly,
  ]

  /// The unit of a word in the singular or plural.
  static func unit(_ word: String) -> RecurrenceRule.Period? {
    let singular = units[word] == nil && word.hasSuffix("s") ? String(word.dropLast()) : word
    let unit = units[singular] ?? (singular.count > 1 ? shortUnits[singular] : nil)
    return unit.map { .init($0) } ?? longUnits[singular]
  }

  /// The period of a number and the letters of a unit, as in `8h`, `30min` and `2w`.
  static func period(_ word: String) -> RecurrenceRule.Period? {
    let letters = word.drop { $0.isNumber }
    let unit = shortUnits[String(letters)].map { RecurrenceRule.Period($0) } ?? unit(String(letters))
    guard let unit, let number = number(String(word.dropLast(letters.count))) else { return nil }
    return .init(unit.frequency, number * unit.interval)
  }

  /// The weekday of a word: in full, in the plural, or by its first letters.
  static func weekday(_ word: String) -> Weekday? {
    let singular = word.utf8.count > 4 && word.hasSuffix("s") && word != "thurs" ? String(word.dropLast()) : word
    return Weekday.allCases.first { day in
      singular == day.name || (3...5 ~= singular.utf8.count && day.name.hasPrefix(singular))
    }
  }

  /// The number of a month, 1 to 12, by its name in full or its first three or four letters.
  static func month(_ word: String) -> Int? {
    months.firstIndex { $0 == word || (3...4 ~= word.utf8.count && $0.hasPrefix(word)) }.map { $0 + 1 }
  }

  /// The value of a number in digits or, up to twelve, in letters; at most 1,000,000,001.
  static func number(_ word: String) -> Int? {
    if let index = numbers.firstIndex(of: word) { return index + 1 }
    guard !word.isEmpty else { return nil }
    var value = 0
    for byte in word.utf8 {
      guard let digit = byte.decimalDigit else { return nil }
      value = min(value * 10 + digit, RecurrenceRule.largestNumber + 1)
    }
    return value
  }

  /// The value of an ordinal: `1st`, `first`, and -1 for `last`.
  static func ordinal(_ word: String) -> Int? {
    if word == "last" { return -1 }
    if let index = ordinals.firstIndex(of: word) { return index + 1 }
    guard ["st", "nd", "rd", "th"].contains(where: word.hasSuffix) else { return nil }
    guard let number = number(String(word.dropLast(2))), word.utf8.first?.decimalDigit != nil else { return nil }
    return number
  }

  /// `1st`, `22nd`, `last`, `2nd to last`.
  static func text(ordinal: Int) -> String {
    if ordinal == -1 { return "last" }
    if ordinal < 0 { return text(ordinal: -ordinal) + " to last" }
    let suffix =
      switch (ordinal % 10, ordinal % 100) {
      case (1, let rest) where rest != 11: "st"
      case (2, let rest) where rest != 12: "nd"
      case (3, let rest) where rest != 13: "rd"
      default: "th"
      }
    return "\(ordinal)\(suffix)"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension RecurrenceRule {
  /// A frequency with its interval: every two weeks.
  struct Period: Equatable {
    let frequency: Frequency
    let interval: Int

    init(_ frequency: Frequency, _ interval: Int = 1) { (self.frequency, self.interval) = (frequency, interval) }
  }
}

extension Weekday {
  /// The English name in lower case.
  var name: String { Weekday.names[rawValue - 1] }

  private static let names = allCases.map { WhenWords.name(of: $0).lowercased() }
}
