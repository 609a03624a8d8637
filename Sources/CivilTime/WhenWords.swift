/// The names of days and months.
package enum WhenWords {
  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The weekday of a lower-case word, in full or as `mon`, `tue`, `tues`, `thu`, `thur`, `thurs`, …
  package static func weekday(_ word: String) -> Weekday? {
    index(of: word, in: weekdays, abbreviations: ["tues", "thur", "thurs"]).flatMap { Weekday(rawValue: $0 + 1) }
  }

  /// The month, 1 to 12, of a lower-case word, in full or as `jan`, …, `sept`, …
  package static func month(_ word: String) -> Int? {
    index(of: word, in: months, abbreviations: ["sept"]).map { $0 + 1 }
  }

  /// A weekday's name, such as `Friday`.
  package static func name(of weekday: Weekday) -> String { weekdays[weekday.rawValue - 1] }

  /// A month's name, such as `February`, for 1 to 12.
  package static func name(ofMonth month: Int) -> String { months[floorRemainder(month - 1, 12)] }

  /// A weekday's name in three letters, such as `Fri`, as RFC 5322 and RFC 9110 write it.
  package static func shortName(of weekday: Weekday) -> String { String(name(of: weekday).prefix(3)) }

  /// A month's name in three letters, such as `Feb`, for 1 to 12, as RFC 5322 and RFC 9110 write it.
  package static func shortName(ofMonth month: Int) -> String { String(name(ofMonth: month).prefix(3)) }

  private static func index(of word: String, in names: [String], abbreviations: [String]) -> Int? {
    let isAbbreviation = word.utf8.count == 3 || abbreviations.contains(word)
    return names.firstIndex { name in
      let name = name.lowercased()
      return name == word || (isAbbreviation && name.hasPrefix(word))
    }
  }
}
