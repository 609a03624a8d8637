import CivilTime
import RecurrenceRules

extension WordsParser {
  /// `in june and july`, `of each month`, `of the year`, `in weeks 20 and 21`, `in hours 9 and 10`.
  mutating func inClause() throws(RecurrenceRuleError) {
    tokens.advance()
    if tokens.consume("every", "each", "the") {
      if tokens.consume("month") {
        isOfMonth = true
      } else if tokens.consume("year") {
        isOfYear = true
      } else {
        throw tokens.error("'month' or 'year' is expected")
      }
      return
    }
    switch tokens.next {
    case "week", "weeks": try numbers(\.weekNumbers, within: 1...53, isSigned: true)
    case "hour", "hours": try numbers(\.hours, within: 0...23)
    default:
      let months = tokens.list { $0.consume(WordVocabulary.month) }
      guard !months.isEmpty, parts.months.isEmpty else {
        throw tokens.error("expected a month, and the months only once")
      }
      parts.months = months
    }
  }

  /// `at 09:00 and 18:00`, `at 9am`, `at minutes 0 and 30`, `at second 0`.
  mutating func atClause() throws(RecurrenceRuleError) {
    tokens.advance()
    switch tokens.next {
    case "hour", "hours": return try numbers(\.hours, within: 0...23)
    case "minute", "minutes": return try numbers(\.minutes, within: 0...59)
    case "second", "seconds": return try numbers(\.seconds, within: 0...60)
    default: try clockTimes()
    }
  }

  /// `09:00 and 18:00`, `9am`.
  mutating func clockTimes() throws(RecurrenceRuleError) {
    let start = tokens
    let times = Set(tokens.list { $0.consume(ClockTime.init) })
    guard !times.isEmpty, parts.hours.isEmpty, parts.minutes.isEmpty else {
      throw tokens.error("expected a time such as 09:00 or 9am, and the times only once")
    }
    parts.hours = Set(times.map(\.hour)).sorted()
    parts.minutes = Set(times.map(\.minute)).sorted()
    guard parts.hours.count * parts.minutes.count == times.count else {
      throw start.error("one rule cannot have exactly these times; make one rule for each")
    }
  }

  private mutating func numbers(
    _ list: WritableKeyPath<RuleParts, [Int]>, within range: ClosedRange<Int>, isSigned: Bool = false
  ) throws(RecurrenceRuleError) {
    tokens.advance()
    guard parts[keyPath: list].isEmpty else { throw tokens.error("these numbers are given twice") }
    let found = tokens.list { tokens -> Int? in
      // In `at minute 5, 10 times` the 10 is the COUNT.
      guard !tokens.peek(1).hasPrefix("time") else { return nil }
      let isNegative = isSigned && tokens.next.hasPrefix("-")
      let digits = isNegative ? String(tokens.next.dropFirst()) : tokens.next
      guard let number = WordVocabulary.number(digits), range.contains(number) else { return nil }
      tokens.advance()
      return isNegative ? -number : number
    }
    guard !found.isEmpty else {
      throw tokens.error("numbers from \(range.lowerBound) to \(range.upperBound) are expected")
    }
    parts[keyPath: list] = found.map { list == \RuleParts.seconds ? min($0, 59) : $0 }
  }

  /// `but only the 1st and last of them`.
  mutating func only() throws(RecurrenceRuleError) {
    tokens.consume("but")
    guard tokens.consume("only") else { throw tokens.error("'only' is expected") }
    let positions = tokens.list(WordsParser.ordinal)
    guard !positions.isEmpty, parts.setPositions.isEmpty else {
      throw tokens.error("say which ones, once, like 'only the last'")
    }
    parts.setPositions = positions
    if tokens.next == "of", tokens.peek(1) == "them" { tokens.advance(2) }
  }

  /// `with weeks from sunday`.
  mutating func weekStart() throws(RecurrenceRuleError) {
    tokens.consume("with")
    guard tokens.consume("weeks"), tokens.consume("from"), let day = tokens.consume(WordVocabulary.weekday) else {
      throw tokens.error("'weeks from sunday' or another day is expected")
    }
    parts.weekStart = day
  }

  /// `10 times`, `once`, `until 2027-12-24`, `until 24.12.2027`, `until 2027-12-24 09:00 utc`.
  mutating func end() throws(RecurrenceRuleError) {
    guard parts.end == .never else { throw tokens.error("a rule has only one end: a number of times or a date") }
    if tokens.consume("once") { return parts.end = .count(1) }
    if tokens.consume("twice") { return parts.end = .count(2) }
    if tokens.consume("until") { return parts.end = .until(try until()) }
    tokens.consume("for")
    guard let count = WordVocabulary.number(tokens.next), 1...RecurrenceRule.largestNumber ~= count else {
      throw tokens.error("a number from 1 to \(RecurrenceRule.largestNumber) is expected")
    }
    tokens.advance()
    guard tokens.consume("times", "time") else { throw tokens.error("'times' is expected") }
    parts.end = .count(count)
  }

  private mutating func until() throws(RecurrenceRuleError) -> RecurrenceRule.Until {
    guard let date = consumeDate() else { throw tokens.error("a date is expected, like 2027-12-24") }
    let clock = tokens.next.utf8.count == 8 ? tokens.next.utf8.suffix(3) : "".utf8.suffix(0)
    let second = clock.first == UInt8(ascii: ":") ? WordVocabulary.number(String(clock.dropFirst()) ?? "") : 0
    let minutes = String(tokens.next.utf8.dropLast(clock.count)) ?? ""
    guard let time = ClockTime(minutes), let second,
      let moment = CivilDateTime(date: date, hour: time.hour, minute: time.minute, second: second)
    else { return .date(date) }
    tokens.advance()
    return tokens.consume("utc", "z") ? .utc(moment) : .local(moment)
  }

  /// A date with its year, in the forms of a WHEN: `2027-12-24`, `24.12.2027`, `24 dec 2027`, `dec 24, 2027`.
  private mutating func consumeDate() -> CivilDate? {
    for count in 1...4 {
      let text = (0..<count).map { tokens.peek($0) }.joined(separator: " ")
      guard let date = WhenReader.fixedDate(text) else { continue }
      tokens.advance(count)
      return date
    }
    return nil
  }
}

/// A time of day: `09:00`, `9:30`, `9am`, `9:30pm`.
struct ClockTime: Hashable {
  let hour: Int
  let minute: Int

  init?(_ word: String) {
    let half = word.hasSuffix("am") ? 0 : word.hasSuffix("pm") ? 12 : nil
    let fields = (half == nil ? word : String(word.dropLast(2))).split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2 || (fields.count == 1 && half != nil),
      let hour = ClockTime.digits(fields[0]), let minute = fields.count == 2 ? ClockTime.digits(fields[1]) : 0,
      minute < 60, fields.count == 1 || fields[1].utf8.count == 2
    else { return nil }
    guard half == nil ? hour < 24 : 1...12 ~= hour else { return nil }
    self.hour = half.map { hour % 12 + $0 } ?? hour
    self.minute = minute
  }

  private static func digits(_ text: Substring) -> Int? {
    1...2 ~= text.utf8.count && text.utf8.allSatisfy { $0.decimalDigit != nil } ? Int(text) : nil
  }
}
