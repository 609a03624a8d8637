/// A length of time as users mean it: days on the wall clock and, apart from them, exact minutes.
///
/// `1d` keeps the time of day across a change of the clocks, `24h` is 24 hours; so the two are not equal. Both parts
/// are zero or more, at most ten thousand years.
public struct CalendarDuration: Hashable, Sendable, CustomStringConvertible {
  /// Days on the wall clock.
  public let days: Int
  /// Exact minutes, in addition to the days.
  public let minutes: Int

  /// No time at all.
  public static let zero = CalendarDuration(days: 0, minutes: 0)

  /// A duration of so many days and minutes; what is negative becomes 0, what is beyond ten thousand years those.
  public init(days: Int, minutes: Int) {
    self.days = min(max(days, 0), CalendarDuration.maximumDays)
    self.minutes = min(max(minutes, 0), CalendarDuration.maximumDays * 1_440)
  }

  /// The duration written as `10m`, `1h30m`, `2d`, `1w`, `10 minutes`, `1 hour and 30 minutes`, or as in ISO 8601.
  ///
  /// - Parameter allowsZero: Whether `0m` is a duration; it is where a lead time before a due date is meant.
  /// - Throws: `WhenError` for anything else, seconds, months, less than a minute and over ten thousand years.
  public init(parsing text: String, allowsZero: Bool = false) throws(WhenError) {
    let examples = "10m, 1h30m, 2d or 1w"
    var reader = try TokenReader(text, noun: "duration", example: examples)
    let parsed: CalendarDuration
    if let duration = CalendarDuration(iso8601: text) {
      parsed = duration
    } else {
      let span = try reader.readSpan()
      guard let span, reader.isAtEnd else {
        let hint = reader.peekNumber() != nil && span == nil ? "has no unit that is known" : "is no duration"
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

  /// The duration in short, such as `10m`, `1h30m`, `1d`, `1w`, `0m`; parses back to itself.
  public var description: String {
    var parts = ""
    if days > 0 { parts += days % 7 == 0 ? "\(days / 7)w" : "\(days)d" }
    if minutes >= 60 { parts += "\(minutes / 60)h" }
    if minutes % 60 > 0 || parts.isEmpty { parts += "\(minutes % 60)m" }
    return parts
  }

  static let maximumDays = 3_652_425
}
