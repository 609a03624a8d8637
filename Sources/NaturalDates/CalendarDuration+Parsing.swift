import CivilTime

extension CalendarDuration {
  /// The duration written as `10m`, `1h30m`, `2d`, `1w`, `10 minutes`, `1 hour and 30 minutes`, or as in ISO 8601.
  ///
  /// - Parameter allowsZero: whether `0m` is valid, as it is for a lead time.
  /// - Throws: `WhenError` for anything else: seconds, months, less than a minute or over ten thousand years.
  package init(parsing text: String, allowsZero: Bool = false) throws(WhenError) {
    let examples = "10m, 1h30m, 2d or 1w"
    var reader = try TokenReader(text, noun: "duration", example: examples)
    let parsed: CalendarDuration
    if let duration = CalendarDuration(iso8601: text) {
      parsed = duration
    } else {
      let span = try reader.readSpan()
      guard let span, reader.isAtEnd else {
        let hint =
          reader.hasAttached(".", at: 1)
          ? "has a fraction"
          : reader.peekNumber() != nil && span == nil ? "has no unit that is known" : "is not a duration"
        throw WhenError(message: "\(inQuotes(text)) \(hint): write for example \(examples)")
      }
      guard span.months == 0 else {
        throw WhenError(message: "\(inQuotes(text)) has months or years, whose length varies: write days or weeks")
      }
      parsed = CalendarDuration(days: span.days, minutes: span.minutes)
      guard parsed.days == span.days, parsed.minutes == span.minutes else {
        throw WhenError(message: "\(inQuotes(text)) is over ten thousand years: write for example \(examples)")
      }
    }
    guard allowsZero || parsed != .zero else {
      throw WhenError(message: "\(inQuotes(text)) is less than a minute: write for example \(examples)")
    }
    self = parsed
  }
}
