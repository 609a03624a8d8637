/// A length of time as users mean it: days on the wall clock and, apart from them, exact minutes.
///
/// `1d` keeps the time of day when the clocks change, `24h` is exactly 24 hours; so the two are not equal. Both parts
/// are zero or more, at most ten thousand years.
public struct CalendarDuration: Hashable, Sendable, CustomStringConvertible {
  /// Days on the wall clock.
  public let days: Int
  /// Exact minutes, in addition to the days.
  public let minutes: Int

  /// A duration of no time, so that a lead time of it rings at the due time itself.
  public static let zero = CalendarDuration(days: 0, minutes: 0)

  /// A duration of days and minutes, each clamped to the range from 0 to ten thousand years.
  public init(days: Int, minutes: Int) {
    self.days = min(max(days, 0), CalendarDuration.maximumDays)
    self.minutes = min(max(minutes, 0), CalendarDuration.maximumDays * 1_440)
  }

  /// The duration in short form, such as `10m`, `1h30m`, `1d`, `1w`, `0m`; parses back to itself.
  public var description: String {
    var parts = ""
    if days > 0 { parts += days % 7 == 0 ? "\(days / 7)w" : "\(days)d" }
    if minutes >= 60 { parts += "\(minutes / 60)h" }
    if minutes % 60 > 0 || parts.isEmpty { parts += "\(minutes % 60)m" }
    return parts
  }

  static let maximumDays = 3_652_425
}
