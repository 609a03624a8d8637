import FoundationEssentials

/// An error about a date outside the supported range.
public enum DateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The date is infinite or NaN.
  case notANumber
  /// The date is before 1970 or after 9999; in seconds since 1970-01-01T00:00Z.
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
    // Beyond a hundred million days the year has no meaning.
    guard abs(days) < 1e8 else { return days < 0 ? "a date in the distant past" : "a date in the distant future" }
    return "the year \(CivilDate(daysSinceEpoch: Int(days)).year)"
  }
}
