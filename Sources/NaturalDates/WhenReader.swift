import CivilTime

/// Reads the words of a WHEN: `fri 17:00`, `in 2 weeks`, `end of month`.
struct WhenReader {
  var tokens: TokenReader
  let today: CivilDate

  static let examples = "2026-12-24 18:30, tomorrow 9am, fri 17:00 or in 10 minutes"

  init(_ text: String, today: CivilDate) throws(WhenError) {
    tokens = try TokenReader(text, noun: "time", example: WhenReader.examples)
    self.today = today
  }

  /// An error about the whole text.
  func refusal(_ reason: String) -> WhenError { WhenError(message: "\(inQuotes(tokens.text)) \(reason)") }

  /// An error about a time of day, which names the whole text too if that says more.
  func refusal(_ reason: String, of time: String) -> WhenError {
    let words = "\(inQuotes(time)) \(reason)"
    return time == tokens.text ? WhenError(message: words) : refusal("has no time of day: \(words)")
  }

  /// Reads the whole text; `nil` for `none`.
  mutating func expression() throws(WhenError) -> WhenExpression? {
    if tokens.skip("none") {
      guard tokens.isAtEnd else { throw unreadable() }
      return nil
    }
    var expression = WhenExpression()
    if tokens.skip("in") || skipPlus() {
      guard let span = try tokens.readSpan() else {
        let isFraction = tokens.peekNumber() != nil && tokens.hasAttached(".", at: 1)
        throw refusal(
          isFraction
            ? "has a fraction: write whole numbers, such as in 1h30m"
            : "names no amount of time: write in 10 minutes or +2h")
      }
      expression.span = span
    }
    while !tokens.isAtEnd {
      if try readDay(into: &expression) || skipPartOfDay(of: &expression) { continue }
      guard try readTime(into: &expression) else { throw unreadable() }
    }
    if expression.isMorning, case .at(let time) = expression.time, time.hour >= 12 {
      throw refusal("is not in the morning: leave out 'morning', or write a time before 12:00")
    }
    if expression.isEvening { expression.time = .at(try eveningTime(of: expression)) }
    if expression.isBareHour, expression.day != .tonight, !expression.isMorning, !expression.isEvening,
      case .at(let time) = expression.time
    {
      let later = TimeOfDay(minutesSinceMidnight: time.minutesSinceMidnight + 12 * 60)
      throw refusal("could mean \(time) or \(later): write \(time.hour)am or \(time.hour)pm")
    }
    return expression
  }

  /// The time of `friday evening` and `friday evening at 7`, which uses a 12-hour clock.
  private func eveningTime(of expression: WhenExpression) throws(WhenError) -> TimeOfDay {
    guard let given = expression.time else { return WhenExpression.usualEvening }
    if case .at(let time) = given {
      let isHalf = expression.isTimeUnmarked && 5..<12 ~= time.hour
      let minutes = time.minutesSinceMidnight + (isHalf ? 12 * 60 : 0)
      if minutes >= 17 * 60 { return TimeOfDay(minutesSinceMidnight: minutes) }
    }
    throw refusal("is not in the evening: leave out 'evening', or write a time from 17:00")
  }

  private mutating func skipPlus() -> Bool {
    guard tokens.peek()?.kind == .symbol(UInt8(ascii: "+")) else { return false }
    tokens.advance()
    return true
  }

  private mutating func readDay(into expression: inout WhenExpression) throws(WhenError) -> Bool {
    guard expression.day == nil, expression.span == nil else { return false }
    if tokens.peekWord() == "this", tokens.peekWord(1) == "evening" {
      tokens.advance(2)
      (expression.day, expression.isEvening) = (.today, true)
      return true
    }
    guard let day = try readDay() else { return false }
    expression.day = day
    guard case .weekday(let weekday, isNext: false, weeksLater: 0) = day else { return true }
    // In `fri 27 nov` the date counts, and the weekday must match it.
    if let date = try readDate() {
      expression.day = date
      expression.weekday = weekday
    }
    return true
  }

  /// Reads the `morning` of `tomorrow morning`, or the `evening` of `friday evening`.
  private mutating func skipPartOfDay(of expression: inout WhenExpression) -> Bool {
    guard let day = expression.day, day != .tonight, !expression.isMorning, !expression.isEvening else { return false }
    expression.isMorning = tokens.skip("morning")
    expression.isEvening = !expression.isMorning && tokens.skip("evening")
    return expression.isMorning || expression.isEvening
  }

  private mutating func readTime(into expression: inout WhenExpression) throws(WhenError) -> Bool {
    let start = tokens.position
    let isAfterAt = tokens.skip("at")
    let clock = tokens.position
    let hasDay = expression.day != nil || expression.span != nil
    guard expression.time == nil, let time = try readTime(allowsBareHour: hasDay || isAfterAt) else {
      tokens.move(to: start)
      return false
    }
    expression.time = time
    let words = tokens.text(from: start, to: tokens.position).lowercased().filter { $0 != "." }
    expression.isTimeUnmarked = !["am", "pm"].contains { words.hasSuffix($0) }
    expression.isBareHour = ["1", "2", "3", "4", "5", "6"].contains(tokens.text(from: clock, to: tokens.position))
    return true
  }

  /// An error for a text that was understood only in part, or not at all.
  private func unreadable() -> WhenError {
    var whole = tokens
    whole.move(to: 0)
    if let span = try? whole.readSpan(), whole.isAtEnd, !span.isZero {
      return refusal("is an amount of time: write in \(span) or +\(span)")
    }
    guard tokens.position == 0 else {
      return refusal(
        "was understood as far as \(inQuotes(tokens.readText)), but not \(inQuotes(tokens.unreadText)): "
          + "write for example \(WhenReader.examples)")
    }
    if let number = tokens.peekNumber(), tokens.peek()?.width ?? 0 <= 2, number < 24 || tokens.peekWord(1) != "h" {
      if tokens.peekWord(1) == "h", let minute = tokens.peekNumber(2), minute < 60 {
        let clock = "\(padded(number, 2)):\(padded(minute, 2))"
        return refusal("could be a time or an amount of time: write \(clock), or in \(number)h\(minute)m")
      }
      let hour = number < 24 ? "\(padded(number, 2)):00, or " : ""
      return refusal("could be an hour or a day: write \(hour)a date such as 2026-12-24")
    }
    return refusal("is not a time that Belfry knows: write for example \(WhenReader.examples)")
  }
}
