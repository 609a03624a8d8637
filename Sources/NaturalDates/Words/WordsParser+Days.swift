import CivilTime
import RecurrenceRules

/// An element of a list of days. A rule can combine several of one kind, but not, say, weekdays and days of the month.
private enum DayItem {
  case weekdays([RecurrenceRule.OrdinalWeekday])
  case workingDays([Int])
  case monthDays([Int])
  /// A day, or the last one of a month without it.
  case dayOrLast(Int)
  case yearDays([Int])
  case date(day: Int, month: Int)
}

extension WordsParser {
  /// `on monday and the last friday`, `on the 1st, 15th and last day`, `on the 31st or the last day`, `that is the
  /// 13th`, `on 24 december`.
  mutating func days() throws(RecurrenceRuleError) {
    if !tokens.consume("on"), tokens.next == "that", tokens.peek(1) == "is" { tokens.advance(2) }
    let start = tokens
    let items = tokens.list(WordsParser.item)
    guard !items.isEmpty else {
      let nearest = NearestNames.nearest(to: tokens.next, among: WordVocabulary.known, limit: 1).first
      let hint = nearest.map { "did you mean '\($0)'?" }
      throw tokens.error(hint ?? "a day is expected, like monday, the last friday or the 15th")
    }
    let before = parts
    for item in items { add(item) }
    let kinds = [
      parts.weekdays.count > before.weekdays.count, parts.monthDays.count > before.monthDays.count,
      parts.yearDays.count > before.yearDays.count,
    ]
    let choosesDay = parts.weekdays.count == 5 * items.count || (items.count == 1 && choosesLastDay)
    guard kinds.count(where: \.self) == 1, parts.months.count < 2 || parts.months == before.months,
      parts.setPositions == before.setPositions || (before.setPositions.isEmpty && choosesDay)
    else { throw start.error("one rule cannot join these kinds of days with 'and'; make one rule for each kind") }
    guard !kinds[0] || before.weekdays.isEmpty, !kinds[1] || before.monthDays.isEmpty,
      !kinds[2] || before.yearDays.isEmpty, before.months.isEmpty || parts.months == before.months
    else { throw start.error("days of this kind are given twice") }
  }

  private mutating func add(_ item: DayItem) {
    switch item {
    case .weekdays(let days): parts.weekdays += days
    case .workingDays(let positions):
      parts.weekdays += WordVocabulary.workingWeek
      parts.setPositions += positions
      choosesWorkingDay = true
    case .monthDays(let days): parts.monthDays += days
    case .dayOrLast(let day):
      parts.monthDays += 28...day
      parts.setPositions.append(-1)
      choosesLastDay = true
    case .yearDays(let days): parts.yearDays += days
    case .date(let day, let month):
      parts.monthDays.append(day)
      parts.months.append(month)
    }
  }

  private static func item(_ tokens: inout WordTokens) -> DayItem? {
    tokens.consume("the")
    if let day = tokens.consume(WordVocabulary.weekday) { return .weekdays([.init(ordinal: nil, weekday: day)]) }
    if tokens.consume("weekday", "weekdays", "workday", "workdays") { return .weekdays(WordVocabulary.workingWeek) }
    if tokens.consume("weekend", "weekends") { return .weekdays(WordVocabulary.weekend) }
    if let month = WordVocabulary.month(tokens.next) {
      let word = tokens.peek(1)
      guard let day = monthDay(WordVocabulary.number(word) ?? WordVocabulary.ordinal(word)) else { return nil }
      tokens.advance(2)
      return .date(day: day, month: month)
    }
    if let day = monthDay(WordVocabulary.number(tokens.next)), let month = WordVocabulary.month(tokens.peek(1)) {
      tokens.advance(2)
      return .date(day: day, month: month)
    }
    let ordinals = tokens.list(ordinal)
    return ordinals.isEmpty ? nil : numberedItem(ordinals, &tokens)
  }

  private static func numberedItem(_ ordinals: [Int], _ tokens: inout WordTokens) -> DayItem? {
    func allWithin(_ limit: Int) -> Bool { ordinals.allSatisfy { abs($0) <= limit } }
    if let day = WordVocabulary.weekday(tokens.next) {
      guard allWithin(53) else { return nil }
      tokens.advance()
      return .weekdays(ordinals.map { .init(ordinal: $0, weekday: day) })
    }
    if tokens.consume("weekday", "weekdays") { return allWithin(366) ? .workingDays(ordinals) : nil }
    if ordinals.count == 1, 29...31 ~= ordinals[0], tokens.next == "or" {
      let skipped = tokens.peek(1) == "the" ? 2 : 1
      if tokens.peek(skipped) == "last", tokens.peek(skipped + 1) == "day" {
        tokens.advance(skipped + 2)
        return .dayOrLast(ordinals[0])
      }
    }
    let hasNoun = tokens.consume("day", "days")
    if hasNoun, tokens.next == "of", tokens.peek(1) == "the", tokens.peek(2) == "year" {
      guard allWithin(366) else { return nil }
      tokens.advance(3)
      return .yearDays(ordinals)
    }
    guard allWithin(31), hasNoun || ordinals.allSatisfy({ $0 > 0 }) else { return nil }
    if ordinals.count == 1, let day = monthDay(ordinals[0]), let month = tokens.consume(WordVocabulary.month) {
      return .date(day: day, month: month)
    }
    return .monthDays(ordinals)
  }

  private static func monthDay(_ number: Int?) -> Int? { number.flatMap { 1...31 ~= $0 ? $0 : nil } }

  /// `1st`, `the second`, `last`, `2nd to last`, `2nd last`; at most 366 either way.
  static func ordinal(_ tokens: inout WordTokens) -> Int? {
    if tokens.next == "the", WordVocabulary.ordinal(tokens.peek(1)) != nil { tokens.advance() }
    guard let number = WordVocabulary.ordinal(tokens.next), number != 0, number <= 366 else { return nil }
    tokens.advance()
    guard number > 0 else { return number }
    if tokens.next == "to", tokens.peek(1) == "last" {
      tokens.advance(2)
      return -number
    }
    return tokens.consume("last") ? -number : number
  }
}
