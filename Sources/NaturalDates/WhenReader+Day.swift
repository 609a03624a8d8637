import CivilTime

extension WhenReader {
  /// Reads a day in any form. Returns `nil` and reads nothing if none follows.
  mutating func readDay() throws(WhenError) -> WhenExpression.Day? {
    let start = tokens.position
    if tokens.skip("today") { return .today }
    if tokens.skip("tomorrow") { return .on(today.adding(days: 1)) }
    if tokens.skip("yesterday") { return .on(today.adding(days: -1)) }
    if skipDayAfterTomorrow() { return .on(today.adding(days: 2)) }
    if tokens.skip("tonight") { return .tonight }
    if tokens.skip("end") { return try readEnd(after: start) }
    if tokens.peekWord() == "last", tokens.peekWord(1) == "day" {
      tokens.advance(2)
      return try readEnd(after: start)
    }
    _ = tokens.skip("on")
    if let day = try readWeekday() { return day }
    _ = tokens.skip("the")
    if let day = try readDate() { return day }
    tokens.move(to: start)
    return nil
  }

  /// Reads `day after tomorrow`, with or without `the`.
  private mutating func skipDayAfterTomorrow() -> Bool {
    let first = tokens.peekWord() == "the" ? 1 : 0
    let words = ["day", "after", "tomorrow"]
    guard words.indices.allSatisfy({ tokens.peekWord(first + $0) == words[$0] }) else { return false }
    tokens.advance(first + words.count)
    return true
  }

  /// Reads `fri`, `next friday`, `this friday`, `friday in 2 weeks`, and `this weekend` as its Saturday.
  private mutating func readWeekday() throws(WhenError) -> WhenExpression.Day? {
    if tokens.peekWord() == "this", tokens.peekWord(1) == "weekend" {
      tokens.advance(2)
      return .weekday(.saturday, isNext: false, weeksLater: 0)
    }
    let isNext = tokens.peekWord() == "next"
    let isQualified = isNext || tokens.peekWord() == "this"
    guard let word = tokens.peekWord(isQualified ? 1 : 0) else { return nil }
    guard let weekday = WhenWords.weekday(word) else {
      guard isQualified, ["week", "weekend", "month", "year"].contains(word) else { return nil }
      throw refusal("names no day: write next monday, in 1 week, end of month, 1st of next month or a date")
    }
    tokens.advance(isQualified ? 2 : 1)
    guard tokens.peekWord() == "in" else { return .weekday(weekday, isNext: isNext, weeksLater: 0) }
    tokens.advance()
    guard let span = try tokens.readSpan(), span.months == 0, span.minutes == 0, span.days > 0, span.days % 7 == 0
    else { throw refusal("names a weekday and an amount of time that is not in whole weeks: write friday in 2 weeks") }
    return .weekday(weekday, isNext: isNext, weeksLater: span.days / 7)
  }

  /// Reads the part after `end` or `last day`: `of month`, `of the month`, `of next month`, `of year`.
  private mutating func readEnd(after start: Int) throws(WhenError) -> WhenExpression.Day {
    _ = tokens.skip("of")
    let isNext = tokens.skip("next")
    if !isNext { _ = tokens.skip("this", "the") }
    if tokens.skip("month") {
      let month = firstOfMonth(monthsAhead: isNext ? 1 : 0)
      return .on(month.adding(days: CivilDate.daysInMonth(month.month, of: month.year) - 1))
    }
    if tokens.skip("year") { return .on(try date(today.year + (isNext ? 1 : 0), 12, 31, "31 December")) }
    throw refusal("does not say the end of what: write end of month, end of next month or end of year")
  }

  /// Reads `2026-12-24`, `2026-W50-1`, `24.12.`, `dec 24`, `24 dec 2026`, `24th of december`, `1st of next month` and
  /// `1st`.
  mutating func readDate() throws(WhenError) -> WhenExpression.Day? {
    if let word = tokens.peekWord() {
      if word == "first" {
        // Alone it hardly ever means a day: `Laundry first`.
        guard let next = tokens.peekWord(1), next == "of" || WhenWords.month(next) != nil else { return nil }
        return try readOrdinal(day: 1, wordCount: 1)
      }
      guard let month = WhenWords.month(word) else { return nil }
      return try readDayOfMonth(month)
    }
    guard let token = tokens.peek(), let number = tokens.peekNumber() else { return nil }
    if token.width == 4, tokens.hasAttached("-", at: 1) { return try readISODate(year: number) }
    if let day = try readNumericDate() { return day }
    guard token.width <= 2, let word = tokens.peekWord(1) else { return nil }
    if ["st", "nd", "rd", "th"].contains(word), tokens.peek(1)?.isAttached == true {
      return try readOrdinal(day: number, wordCount: 2)
    }
    let isJoined = word == "of"
    guard let month = tokens.peekWord(isJoined ? 2 : 1).flatMap(WhenWords.month) else { return nil }
    let start = tokens.position
    tokens.advance(isJoined ? 3 : 2)
    return try yearAndDate(month: month, day: number, from: start)
  }

  /// Reads `dec` and the day after it: `24`, `24th`, `24 2026`.
  private mutating func readDayOfMonth(_ month: Int) throws(WhenError) -> WhenExpression.Day {
    let start = tokens.position
    tokens.advance()
    guard let day = tokens.peekNumber(), let width = tokens.peek()?.width, width <= 2, !tokens.hasAttached(":", at: 1)
    else { throw refusal("names the month \(WhenWords.name(ofMonth: month)) but no day: write for example 24 dec") }
    tokens.advance()
    if tokens.peek()?.isAttached == true { _ = tokens.skip("st", "nd", "rd", "th") }
    return try yearAndDate(month: month, day: day, from: start)
  }

  /// Reads `1st`, `1st of next month`, `1st of the month`, `1st of march 2027`.
  private mutating func readOrdinal(day: Int, wordCount: Int) throws(WhenError) -> WhenExpression.Day {
    let start = tokens.position
    tokens.advance(wordCount)
    if tokens.skip("of") {
      let isNext = tokens.skip("next")
      if !isNext { _ = tokens.skip("this", "the") }
      if tokens.skip("month") {
        let month = firstOfMonth(monthsAhead: isNext ? 1 : 0)
        return .on(try date(month.year, month.month, day, tokens.text(from: start, to: tokens.position)))
      }
    }
    if let month = tokens.peekWord().flatMap(WhenWords.month) {
      tokens.advance()
      return try yearAndDate(month: month, day: day, from: start)
    }
    guard (1...31).contains(day) else { throw refusal("has no day: months have 28 to 31 days") }
    return .dayOfMonth(day)
  }

  mutating func yearAndDate(month: Int, day: Int, from start: Int) throws(WhenError) -> WhenExpression.Day {
    if let year = tokens.peekNumber(), tokens.peek()?.width == 4 {
      tokens.advance()
      return .on(try date(year, month, day, tokens.text(from: start, to: tokens.position)))
    }
    // 2000 is a leap year, so 29 February passes.
    _ = try date(2_000, month, day, tokens.text(from: start, to: tokens.position), anyYear: true)
    return .dayOfYear(month: month, day: day)
  }

  private func firstOfMonth(monthsAhead: Int) -> CivilDate {
    let months = today.year * 12 + today.month - 1 + monthsAhead
    return CivilDate(year: floorQuotient(months, 12), month: floorRemainder(months, 12) + 1, day: 1) ?? today
  }
}
