import FoundationEssentials

/// A date that Belfry cannot keep: what it is, and what is allowed.
public enum DateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The date is infinite or not a number.
  case notANumber
  /// The date lies before 1970 or after 9999; seconds count from 1970-01-01T00:00Z.
  case outOfRange(secondsSinceEpoch: Double)

  /// A sentence fragment for the user, such as `the year 1600 is not supported: dates run from 1970 to 9999`.
  public var description: String {
    switch self {
    case .notANumber: "the date is not a number: dates run from 1970 to 9999"
    case .outOfRange(let seconds): "\(DateError.name(of: seconds)) is not supported: dates run from 1970 to 9999"
    }
  }

  private static func name(of seconds: Double) -> String {
    let days = (seconds / 86_400).rounded(.down)
    // Beyond a hundred million days a year says no more than that it is absurd.
    guard abs(days) < 1e8 else { return days < 0 ? "a date in the distant past" : "a date in the distant future" }
    return "the year \(CivilDate(daysSinceEpoch: Int(days)).year)"
  }
}
