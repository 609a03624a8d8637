import FoundationEssentials

/// The instant at which a reminder fires: whole minutes, 1970-01-01T00:00Z to 9999-12-31T23:59Z.
///
/// Only ``init(_:)`` makes a fire date from an instant, so none has seconds, is outside the supported years or is not a
/// number.
public struct FireDate: Hashable, Comparable, Sendable {
  /// Seconds after 1970-01-01T00:00Z, always a multiple of 60.
  public let secondsSinceEpoch: Int64

  /// The start of the minute that contains `instant`: floored, never rounded up.
  ///
  /// - Throws: `DateError` for an instant before 1970 or after 9999, and for one that is infinite or not a number.
  public init(_ instant: Date) throws(DateError) {
    // `Date` counts from 2001. Flooring before moving to 1970 keeps 59.999… from being rounded up by the addition.
    let minutes = (instant.timeIntervalSinceReferenceDate / 60).rounded(.down)
    let first = Double(FireDate.earliestMinute - FireDate.referenceMinute)
    let last = Double(FireDate.latestMinute - FireDate.referenceMinute)
    guard minutes.isFinite else { throw DateError.notANumber }
    guard (first...last).contains(minutes) else {
      throw DateError.outOfRange(secondsSinceEpoch: instant.timeIntervalSince1970)
    }
    secondsSinceEpoch = (Int64(minutes) + FireDate.referenceMinute) * 60
  }

  /// The earliest fire date: 1970-01-01T00:00Z.
  package static let earliest = FireDate()

  private init() { secondsSinceEpoch = FireDate.earliestMinute * 60 }

  /// The full minute as an instant of Foundation.
  public var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch)) }

  /// Orders by time, earlier dates first.
  public static func < (lhs: FireDate, rhs: FireDate) -> Bool { lhs.secondsSinceEpoch < rhs.secondsSinceEpoch }

  private static let earliestMinute: Int64 = 0
  private static let latestMinute: Int64 = 4_223_371_679
  private static let referenceMinute: Int64 = 16_305_120
}
