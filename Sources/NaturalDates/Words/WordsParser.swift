import RecurrenceRules

extension RecurrenceRule {
  /// The rule of plain English words.
  ///
  /// The frequency is first: `daily`, `weekdays`, `weekly`, `monthly`, `yearly`, `every 3 days`, `every other week`,
  /// `every monday`. Other clauses follow in any order: `on monday and friday`, `on the last friday`,
  /// `on the 1st and 15th`, `on 24 december`, `in june and july`, `in week 20`, `at 09:00 and 18:00`, `10 times`,
  /// `until 2027-12-24`, and all others that `words` prints.
  ///
  /// - Throws: `RecurrenceRuleError` at the first word that is unknown or ambiguous.
  package init(words: String) throws(RecurrenceRuleError) {
    var parser = WordsParser(words)
    self = try parser.rule()
  }

  /// The rule of a text: in RFC 5545 form if it has an equals sign, otherwise in plain English words.
  ///
  /// - Throws: `RecurrenceRuleError` as `init(_:)` or `init(words:)` does.
  package init(textOrWords text: String) throws(RecurrenceRuleError) {
    if text.utf8.contains(UInt8(ascii: "=")) { try self.init(text) } else { try self.init(words: text) }
  }
}

/// A parser of rules in plain English, clause by clause.
struct WordsParser {
  var tokens: WordTokens
  var parts = RuleParts()
  /// True if `of each month` or `of the month` was read.
  var isOfMonth = false
  /// True if `of the year` was read after numbered weekdays.
  var isOfYear = false
  /// True if `the last weekday` or a similar phrase was read.
  var choosesWorkingDay = false
  /// True if `the 31st or the last day` or a similar phrase was read.
  var choosesLastDay = false
  /// The place of `every 2nd monday`, which is ambiguous without more words.
  var openMeaning: Int?
  /// True if `every 15th` was read: that day of each month, unless other words name the period.
  var namesEveryDay = false

  init(_ text: String) { tokens = WordTokens(text) }

  mutating func rule() throws(RecurrenceRuleError) -> RecurrenceRule {
    while tokens.consume(",") {}
    if tokens.isAtEnd { throw tokens.error("say how often, like 'daily' or 'every 2 weeks'") }
    while !tokens.isAtEnd {
      try clause()
      while tokens.consume(",") {}
    }
    let frequency = try impliedFrequency()
    try checkScope(frequency)
    if let fault = parts.fault(with: frequency) { throw RecurrenceRuleError(fault.message, at: 0) }
    return RecurrenceRule(parts, frequency: frequency)
  }

  /// Refuses words that are ambiguous or that one rule cannot express.
  private func checkScope(_ frequency: RecurrenceRule.Frequency) throws(RecurrenceRuleError) {
    let isYearly = frequency == .yearly
    if isYearly, !parts.monthDays.isEmpty, parts.months.isEmpty, !isOfMonth {
      throw tokens.error("say in which month, or 'of each month'")
    }
    if isOfYear, !isYearly || !parts.months.isEmpty {
      throw tokens.error("'of the year' needs 'every year' and no month")
    }
    let isOfYearOnly = isYearly && !isOfYear && parts.weekdays.contains { $0.ordinal != nil }
    if isOfMonth, frequency != .monthly, !isYearly || parts.monthDays.isEmpty || isOfYearOnly {
      throw tokens.error("days of each month need 'every month'")
    }
    if choosesLastDay, !canChooseLastDay(frequency) {
      throw tokens.error("'or the last day' needs every month, or one month of every year, and one time")
    }
    if choosesWorkingDay, !canChooseWorkingDay(frequency) {
      throw tokens.error("'the last weekday' and the like needs every month or every year, one month and one time")
    }
  }

  /// BYSETPOS counts all days and times of a period, so it selects one day only if there is one month and time.
  private func canChooseWorkingDay(_ frequency: RecurrenceRule.Frequency) -> Bool {
    (frequency == .monthly || (frequency == .yearly && parts.months.count < 2))
      && [parts.hours, parts.minutes, parts.seconds].allSatisfy { $0.count < 2 }
  }

  private func canChooseLastDay(_ frequency: RecurrenceRule.Frequency) -> Bool {
    (frequency == .monthly || (frequency == .yearly && parts.months.count == 1))
      && [parts.hours, parts.minutes, parts.seconds].allSatisfy { $0.count < 2 }
  }

  private mutating func clause() throws(RecurrenceRuleError) {
    if let adverb = tokens.consume({ WordVocabulary.adverbs[$0] }) {
      return try setBase(adverb.frequency, interval: adverb.interval)
    }
    switch tokens.next {
    case "biweekly", "bimonthly":
      throw tokens.error("it can mean twice in one or once in two; say 'every 2 weeks' or the like")
    case "weekdays", "workdays", "weekends":
      try setBase(.weekly)
      try days()
    case "every", "each": try every()
    case "in", "of": try inClause()
    case "at": try atClause()
    case "but", "only": try only()
    case "with", "weeks": try weekStart()
    case "until", "once", "twice", "for": try end()
    default:
      if WordVocabulary.number(tokens.next) != nil, tokens.peek(1).hasPrefix("time") { return try end() }
      if ClockTime(tokens.next) != nil { return try clockTimes() }
      // In `every monday morning` the start gives the time of day.
      if parts.frequency != nil, tokens.consume({ WordVocabulary.dayParts.contains($0) ? $0 : nil }) != nil { return }
      try days()
    }
  }

  /// `every 3 days`, `every other week`, `every other tuesday`, `every weekday`, `every monday`, `every 24 december`.
  private mutating func every() throws(RecurrenceRuleError) {
    let start = tokens.position
    tokens.advance()
    var interval = 1
    tokens.consume("single")
    if let period = WordVocabulary.period(tokens.next) { return try takePeriod(period) }
    if tokens.consume("other") {
      interval = 2
      if WordVocabulary.weekday(tokens.next) != nil {
        try setBase(.weekly, interval: interval)
        return try days()
      }
    } else if let number = WordVocabulary.number(tokens.next), WordVocabulary.month(tokens.peek(1)) == nil {
      guard (1...RecurrenceRule.largestNumber).contains(number) else {
        throw tokens.error("a number from 1 to \(RecurrenceRule.largestNumber) is expected")
      }
      interval = number
      tokens.advance()
    } else if let ordinal = WordVocabulary.ordinal(tokens.next), ordinal > 0 {
      if WordVocabulary.unit(tokens.peek(1)) != nil {
        guard ordinal <= RecurrenceRule.largestNumber else { throw tokens.error("the number is too large") }
        interval = ordinal
        tokens.advance()
      } else if WordVocabulary.weekday(tokens.peek(1)) != nil {
        openMeaning = start
      } else {
        namesEveryDay = true
      }
    }
    if let unit = WordVocabulary.unit(tokens.next) {
      return try takePeriod(.init(unit.frequency, interval * unit.interval))
    }
    if ["second", "seconds"].contains(tokens.next), tokens.peek(1).isEmpty || interval > 1 {
      throw tokens.error("seconds are not supported, the finest is every minute")
    }
    guard interval == 1 else { throw tokens.error("days, weeks, months, years, hours or minutes are expected") }
    if WordVocabulary.dayParts.contains(tokens.next) { return try setBase(.daily) }
    let isPlain = ["weekday", "workday", "weekend"].contains(tokens.next) || WordVocabulary.weekday(tokens.next) != nil
    if isPlain { try setBase(.weekly) }
    try days()
  }

  private mutating func takePeriod(_ period: RecurrenceRule.Period) throws(RecurrenceRuleError) {
    guard 1...RecurrenceRule.largestNumber ~= period.interval else {
      throw tokens.error("a number from 1 to \(RecurrenceRule.largestNumber) is expected")
    }
    tokens.advance()
    try setBase(period.frequency, interval: period.interval)
  }

  mutating func setBase(_ frequency: RecurrenceRule.Frequency, interval: Int = 1) throws(RecurrenceRuleError) {
    guard parts.frequency == nil else { throw tokens.error("the frequency is given twice before it") }
    parts.frequency = frequency
    parts.interval = interval
  }

  /// The frequency, also of days without one: `the last friday of each month`, `mondays`, `24 december`.
  private func impliedFrequency() throws(RecurrenceRuleError) -> RecurrenceRule.Frequency {
    let isScoped = isOfMonth || isOfYear || !parts.months.isEmpty
    if let openMeaning, !isScoped {
      throw RecurrenceRuleError(
        "this can mean every so many weeks or a day of the month; say 'every 2 weeks on monday' or 'the 2nd monday of "
          + "each month'", at: openMeaning)
    }
    if let frequency = parts.frequency { return frequency }
    if isOfMonth { return .monthly }
    if isOfYear || !parts.yearDays.isEmpty
      || (!parts.months.isEmpty && !(parts.monthDays.isEmpty && parts.weekdays.isEmpty))
    {
      return .yearly
    }
    if openMeaning == nil, !choosesWorkingDay, parts.weekdays.contains(where: { $0.ordinal == nil }) { return .weekly }
    if namesEveryDay, !parts.monthDays.isEmpty { return .monthly }
    throw tokens.error("say how often, like 'every month'")
  }
}
