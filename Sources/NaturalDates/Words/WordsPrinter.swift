import CivilTime
import RecurrenceRules

extension RecurrenceRule {
  /// The rule in plain English, for people: `weekdays`, `every 3 days`, `every month on the last friday, 10 times`.
  ///
  /// `init(words:)` parses the words of any rule to an equal rule.
  package var words: String {
    let clauses = [dayWords, weekWords, monthWords, timeWords, positionWords, weekStartWords].compactMap(\.self)
    let isSimple = clauses.isEmpty && interval == 1 && frequency != .minutely
    let base: String
    if let adverb = isSimple ? adverb : nil {
      base = adverb
    } else if isWorkingWeek {
      base = (["weekdays"] + clauses.dropFirst()).joined(separator: " ")
    } else {
      base = ([everyWords] + clauses).joined(separator: " ")
    }
    return base + endWords
  }

  private var unit: String {
    WordVocabulary.units.first { $0.value == frequency }?.key ?? ""
  }

  private var adverb: String? {
    WordVocabulary.adverbs.filter { $0.value == .init(frequency) }.keys.max {
      $0.utf8.count > $1.utf8.count
    }
  }

  private var everyWords: String { interval == 1 ? "every " + unit : "every \(interval) \(unit)s" }

  private var isWorkingWeek: Bool {
    frequency == .weekly && interval == 1 && weekdays == WordVocabulary.workingWeek && monthDays.isEmpty
      && yearDays.isEmpty
  }

  /// True if the rule is MONTHLY with BYDAY=MO,TU,WE,TH,FR and BYSETPOS, which has its own phrase.
  private var choosesAmongWorkingDays: Bool {
    frequency == .monthly && weekdays == WordVocabulary.workingWeek && !setPositions.isEmpty && monthDays.isEmpty
      && yearDays.isEmpty && hours.count < 2 && minutes.count < 2 && seconds.count < 2
  }

  /// The day of a rule that has the last day of a month without it: `BYMONTHDAY=28,29,30;BYSETPOS=-1`.
  private var dayOrLast: Int? {
    guard setPositions == [-1], let day = monthDays.last, day > 28, monthDays == Array(28...day), weekdays.isEmpty,
      yearDays.isEmpty, weekNumbers.isEmpty, hours.count < 2, minutes.count < 2, seconds.count < 2
    else { return nil }
    return frequency == .monthly || (frequency == .yearly && months.count == 1) ? day : nil
  }

  private var dayWords: String? {
    var clauses: [String] = []
    if choosesAmongWorkingDays {
      clauses.append("the " + ordinals(setPositions) + " weekday")
    } else if !weekdays.isEmpty {
      clauses.append(weekdayWords)
    }
    if let dayOrLast {
      clauses.append("the " + ordinals([dayOrLast]) + " or the last day")
    } else if !monthDays.isEmpty {
      let needsNoun = monthDays.contains { $0 < 0 }
      let scope = frequency == .yearly && months.isEmpty ? " of each month" : ""
      clauses.append("the " + ordinals(monthDays) + (needsNoun ? " day" : "") + scope)
    }
    if !yearDays.isEmpty { clauses.append("the " + ordinals(yearDays) + " day of the year") }
    return clauses.isEmpty ? nil : "on " + clauses.joined(separator: " that is ")
  }

  private var weekdayWords: String {
    if weekdays == WordVocabulary.workingWeek { return "weekdays" }
    let plain = weekdays.filter { $0.ordinal == nil }.map(\.weekday.name)
    let numbered = Weekday.allCases.compactMap { day -> String? in
      let ordinals = weekdays.filter { $0.weekday == day }.compactMap(\.ordinal)
      return ordinals.isEmpty ? nil : "the " + self.ordinals(ordinals) + " " + day.name
    }
    let scope = numbered.isEmpty || frequency != .yearly || !months.isEmpty ? "" : " of the year"
    return WordVocabulary.list(plain + numbered) + scope
  }

  private func ordinals(_ numbers: [Int]) -> String {
    WordVocabulary.list(numbers.map(WordVocabulary.text(ordinal:)))
  }

  private var weekWords: String? { numbered("in week", weekNumbers) }

  private var monthWords: String? {
    guard !months.isEmpty else { return nil }
    let preposition = weekNumbers.isEmpty && !(monthDays + yearDays).isEmpty ? "of " : "in "
    return preposition + WordVocabulary.list(months.map { WordVocabulary.months[$0 - 1] })
  }

  private var timeWords: String? {
    var clauses: [String] = []
    if !hours.isEmpty, !minutes.isEmpty, hours.count * minutes.count <= 6 {
      let times = hours.flatMap { hour in minutes.map { hour.padded(to: 2) + ":" + $0.padded(to: 2) } }
      clauses.append("at " + WordVocabulary.list(times))
    } else {
      clauses += [numbered("in hour", hours), numbered("at minute", minutes)].compactMap(\.self)
    }
    clauses += [numbered("at second", seconds)].compactMap(\.self)
    return clauses.isEmpty ? nil : clauses.joined(separator: " ")
  }

  private func numbered(_ noun: String, _ numbers: [Int]) -> String? {
    guard !numbers.isEmpty else { return nil }
    return noun + (numbers.count > 1 ? "s " : " ") + WordVocabulary.list(numbers.map(String.init))
  }

  private var positionWords: String? {
    guard !setPositions.isEmpty, !choosesAmongWorkingDays, dayOrLast == nil else { return nil }
    return "but only the " + ordinals(setPositions) + " of them"
  }

  private var weekStartWords: String? { weekStart == .monday ? nil : "with weeks from " + weekStart.name }

  private var endWords: String {
    switch end {
    case .never: return ""
    case .count(1): return ", once"
    case .count(let count): return ", \(count) times"
    case .until(.date(let date)): return " until " + date.extendedText
    case .until(.local(let time)): return " until " + time.extendedText
    case .until(.utc(let time)): return " until " + time.extendedText + " utc"
    }
  }
}

extension CivilDateTime {
  /// The time as `2027-12-24 09:00`, with seconds unless they are 0.
  fileprivate var extendedText: String {
    let seconds = second == 0 ? "" : ":" + second.padded(to: 2)
    return date.extendedText + " " + hour.padded(to: 2) + ":" + minute.padded(to: 2) + seconds
  }
}
