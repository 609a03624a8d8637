import CivilTime

extension WhenReader {
  /// Reads `18:30`, `18:30:00`, `6pm`, `6:30 pm`, `6.30pm`, `noon`, `midnight` and, if allowed, `9`. Returns `nil` and
  /// reads nothing if no time follows.
  mutating func readTime(allowsBareHour: Bool) throws(WhenError) -> WhenExpression.Time? {
    if tokens.skip("noon", "midday") { return TimeOfDay(hour: 12, minute: 0).map { .at($0) } }
    if tokens.skip("midnight") { return .midnight }
    guard let hour = tokens.peekNumber(), let width = tokens.peek()?.width, width <= 2 else { return nil }
    let (start, isDotted) = (tokens.position, isDottedTime)
    tokens.advance()
    var minute = 0
    var hasMinute = false
    if isDotted || tokens.hasAttached(":", at: 0) {
      minute = try sexagesimal(after: start)
      hasMinute = true
      // Reminders fire at full minutes, so seconds are dropped.
      if tokens.hasAttached(":", at: 0) { _ = try sexagesimal(after: start) }
    }
    let half = dayHalf(at: 0)
    if let half { tokens.advance(half.count) }
    guard hasMinute || half != nil || allowsBareHour else {
      tokens.move(to: start)
      return nil
    }
    let text = tokens.text(from: start, to: tokens.position)
    guard let half else { return .at(try time(hour, minute, text)) }
    guard (1...12).contains(hour) else { throw refusal("must run from 1 to 12", of: text) }
    return .at(try time(hour % 12 + (half.isAfternoon ? 12 : 0), minute, text))
  }

  /// The half of the day that `am`, `pm`, `a.m.` or `p.m.` some tokens further on names, and the number of its tokens;
  /// `nil` for other tokens.
  func dayHalf(at ahead: Int) -> (isAfternoon: Bool, count: Int)? {
    guard let word = tokens.peekWord(ahead) else { return nil }
    if ["am", "pm"].contains(word) { return (word == "pm", 1) }
    guard ["a", "p"].contains(word), tokens.hasAttached(".", at: ahead + 1), tokens.peekWord(ahead + 2) == "m",
      tokens.peek(ahead + 2)?.isAttached == true
    else { return nil }
    return (word == "p", tokens.hasAttached(".", at: ahead + 3) ? 4 : 3)
  }

  private func time(_ hour: Int, _ minute: Int, _ text: String) throws(WhenError) -> TimeOfDay {
    guard let time = TimeOfDay(hour: hour, minute: minute) else {
      throw refusal("is outside 00:00 to 23:59", of: text)
    }
    return time
  }

  /// Reads a colon and two digits from 00 to 59.
  private mutating func sexagesimal(after start: Int) throws(WhenError) -> Int {
    guard let token = tokens.peek(1), token.isAttached, token.width == 2, let value = tokens.peekNumber(1), value < 60
    else {
      let text = tokens.text(from: start, to: tokens.position + (tokens.peek(1) == nil ? 1 : 2))
      throw refusal("needs two digits from 00 to 59 after the colon", of: text)
    }
    tokens.advance(2)
    return value
  }
}
