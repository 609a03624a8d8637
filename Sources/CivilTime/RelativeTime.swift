import FoundationEssentials

/// Words for the time between two instants.
public enum RelativeTime {
  /// The time from `now` to `instant`: `in 6 days`, `in 2 h 5 min`, `now` within the minute, `2 h 5 min late`.
  ///
  /// Counted from the start of the minute of `now`, so that a reminder set for 10 minutes from now is "in 10 minutes".
  public static func words(from now: Date, to instant: Date) -> String {
    let minute = (now.timeIntervalSince1970 / 60).rounded(.down) * 60
    let seconds = instant.timeIntervalSince1970 - minute
    guard abs(seconds) >= 60 else { return "now" }
    return seconds > 0 ? "in \(span(seconds))" : "\(span(-seconds)) late"
  }

  /// A length of time in seconds, in at most two units and never rounded up: `5 min`, `2 h 5 min`, `1 day 3 h`, `6
  /// days`; `under a minute` for less, and for NaN.
  public static func span(_ seconds: TimeInterval) -> String {
    guard seconds >= 60 else { return "under a minute" }
    // The clamp exceeds the distance of any two supported dates.
    let minutes = Int(min(seconds / 60, 1e10))
    let (hours, days) = (minutes / 60, minutes / 1_440)
    switch days {
    case 0:
      let rest = hours > 0 && minutes % 60 == 0 ? "" : "\(minutes % 60) min"
      return [hours > 0 ? "\(hours) h" : "", rest].filter { !$0.isEmpty }.joined(separator: " ")
    case 1: return hours % 24 == 0 ? "1 day" : "1 day \(hours % 24) h"
    default: return "\(days) days"
    }
  }
}
