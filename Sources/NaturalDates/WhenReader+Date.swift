import CivilTime

extension WhenReader {
  /// The date of a text that is only a date with its year; `nil` for any other text.
  static func fixedDate(_ text: String) -> CivilDate? {
    guard var reader = try? WhenReader(text, today: CivilDate(daysSinceEpoch: 0)), reader.tokens.hasYear,
      case .on(let date)? = try? reader.readDate(), reader.tokens.isAtEnd
    else { return nil }
    return date
  }

  /// The date with these fields, written as `text`.
  ///
  /// - Throws: `WhenError` if there is no such date, with the number of days in the month.
  func date(
    _ year: Int, _ month: Int, _ day: Int, _ text: String, anyYear: Bool = false
  ) throws(WhenError) -> CivilDate {
    if let date = CivilDate(year: year, month: month, day: day) { return date }
    guard (1...12).contains(month) else {
      throw refusal("has no date: in \(inQuotes(text)) the month \(month) is outside 1 to 12")
    }
    let days = CivilDate.daysInMonth(month, of: year)
    let name = WhenWords.name(ofMonth: month)
    let length = anyYear ? month == 2 ? "\(name) has 28 or 29" : "\(name) has \(days)" : "\(name) \(year) has \(days)"
    throw refusal("has no date: \(inQuotes(text)) does not exist, \(length) days")
  }

  /// Reads the rest of `2026-12-24` or `2026-W50-1`; the next tokens are the year and a hyphen.
  mutating func readISODate(year: Int) throws(WhenError) -> WhenExpression.Day {
    let start = tokens.position
    tokens.advance(2)
    if tokens.peekWord() == "w", tokens.peek()?.isAttached == true {
      tokens.advance()
      return .on(try readISOWeek(year: year, from: start))
    }
    guard let month = attachedNumber(width: 2), tokens.hasAttached("-", at: 1) else { throw malformedISODate() }
    tokens.advance(2)
    guard let day = attachedNumber(width: 2) else { throw malformedISODate() }
    tokens.advance()
    return .on(try date(year, month, day, tokens.text(from: start, to: tokens.position)))
  }

  private mutating func readISOWeek(year: Int, from start: Int) throws(WhenError) -> CivilDate {
    guard let week = attachedNumber(width: 2), tokens.hasAttached("-", at: 1) else { throw malformedISODate() }
    tokens.advance(2)
    guard let number = attachedNumber(width: 1) else { throw malformedISODate() }
    tokens.advance()
    let text = inQuotes(tokens.text(from: start, to: tokens.position))
    guard let weekday = Weekday(rawValue: number) else {
      throw refusal("has no date: in \(text) the day \(number) is outside 1 (Monday) to 7 (Sunday)")
    }
    let count = WhenReader.firstMonday(of: year + 1) - WhenReader.firstMonday(of: year)
    guard week >= 1, week * 7 <= count else { throw refusal("has no date: in \(text) the year has \(count / 7) weeks") }
    return CivilDate(daysSinceEpoch: WhenReader.firstMonday(of: year) + (week - 1) * 7 + weekday.rawValue - 1)
  }

  /// Reads `24.12.`, `24.12.2026` and `12/24/2026`. Returns `nil` and reads nothing if no date in numbers follows.
  ///
  /// - Throws: `WhenError` with the possible meanings for `3/4`, `24/12` and the like.
  mutating func readNumericDate() throws(WhenError) -> WhenExpression.Day? {
    guard let first = tokens.peekNumber(), let second = tokens.peekNumber(2), tokens.peek(2)?.isAttached == true,
      ["/", ".", "-"].contains(where: { tokens.hasAttached($0, at: 1) }), !isDottedTime
    else { return nil }
    let readings = (first == second ? [(first, second)] : [(first, second), (second, first)]).filter { day, month in
      CivilDate(year: 2_000, month: month, day: day) != nil
    }
    if readings.count == 1, isNumericDateInFull {
      let start = tokens.position
      tokens.advance(4)
      return try yearAndDate(month: readings[0].1, day: readings[0].0, from: start)
    }
    let width = tokens.peek()?.width ?? 0
    if width > 4, tokens.hasAttached("-", at: 1) {
      throw refusal("has a year of \(width) digits: dates run from 1970 to 9999")
    }
    if readings.isEmpty, isNumericDateInFull, (1...12).contains(second), (1...31).contains(first) {
      let text = tokens.text(from: tokens.position, to: tokens.position + 3)
      _ = try date(2_000, second, first, text, anyYear: true)
    }
    let names = readings.map { day, month in "\(day) \(WhenWords.name(ofMonth: month))" }
    if names.count == 2 {
      throw refusal("could mean \(names[0]) or \(names[1]): write the date as 2026-12-24 or 24 dec")
    }
    let reading = names.first.map { "seems to mean \($0)" } ?? "is not a date that Belfry can read"
    throw refusal("\(reading): write the date as 2026-12-24 or 24 dec")
  }

  /// True if the next tokens are a time such as `7.30pm`.
  var isDottedTime: Bool { tokens.hasAttached(".", at: 1) && dayHalf(at: 3) != nil }

  /// True if the next tokens have the form of `24.12.`, `24.12.2026` or `12/24/2026`.
  ///
  /// A slash or a point between two numbers has other meanings too (`24/7`, `version 24.12`), so a year or the second
  /// point is needed.
  private var isNumericDateInFull: Bool {
    let isDotted = tokens.hasAttached(".", at: 1)
    guard tokens.hasAttached(isDotted ? "." : "/", at: 3), isDotted || tokens.hasAttached("/", at: 1) else {
      return false
    }
    guard let next = tokens.peek(4), next.isAttached else { return isDotted }
    return tokens.peekNumber(4) != nil && next.width == 4
  }

  private func attachedNumber(width: Int) -> Int? {
    guard let token = tokens.peek(), token.isAttached, token.width == width else { return nil }
    return tokens.peekNumber()
  }

  private func malformedISODate() -> WhenError {
    refusal("has no date in full: write two digits for month and day as in 2026-12-04, or a week's day as 2026-W50-1")
  }

  /// Days from 1970-01-01 to the Monday of a year's first ISO week, which contains 4 January.
  private static func firstMonday(of year: Int) -> Int {
    guard let fourth = CivilDate(year: year, month: 1, day: 4) else { return 0 }
    return fourth.daysSinceEpoch - (fourth.weekday.rawValue - 1)
  }
}
