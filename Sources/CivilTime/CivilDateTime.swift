/// A day and a time of day on the wall clock, to the second, without a zone.
///
/// RFC 5545 section 3.3.5 calls this DATE-TIME form #1, "date with local time". Seconds since the epoch are counted as
/// if the wall clock showed UTC: every day has 86,400 seconds.
public struct CivilDateTime: Hashable, Comparable, Sendable {
  /// The day on the wall calendar.
  public let date: CivilDate
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 59.
  public let second: Int

  /// The time with these fields; `nil` if a day has no such time.
  public init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    self.date = date
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The time with these fields; `nil` if the calendar has no such day or a day no such time.
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
    guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
    self.init(date: date, hour: hour, minute: minute, second: second)
  }

  /// The start of a day.
  public init(midnightOf date: CivilDate) { self.init(day: date, secondOfDay: 0) }

  /// The time this many seconds after 1970-01-01T00:00:00.
  public init(secondsSinceEpoch: Int) {
    self.init(
      day: CivilDate(daysSinceEpoch: floorQuotient(secondsSinceEpoch, secondsPerDay)),
      secondOfDay: floorRemainder(secondsSinceEpoch, secondsPerDay))
  }

  /// The time this many minutes after 1970-01-01T00:00.
  public init(minutesSinceEpoch: Int) {
    self.init(
      day: CivilDate(daysSinceEpoch: floorQuotient(minutesSinceEpoch, 1_440)),
      secondOfDay: floorRemainder(minutesSinceEpoch, 1_440) * 60)
  }

  private init(day: CivilDate, secondOfDay: Int) {
    date = day
    hour = secondOfDay / 3_600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }

  /// Seconds after 1970-01-01T00:00:00, negative before it.
  public var secondsSinceEpoch: Int { date.daysSinceEpoch * secondsPerDay + hour * 3_600 + minute * 60 + second }

  /// Whole minutes after 1970-01-01T00:00, rounded down.
  public var minutesSinceEpoch: Int { date.daysSinceEpoch * 1_440 + hour * 60 + minute }

  /// Orders by time, earlier times first.
  public static func < (lhs: CivilDateTime, rhs: CivilDateTime) -> Bool {
    (lhs.date, lhs.hour, lhs.minute, lhs.second) < (rhs.date, rhs.hour, rhs.minute, rhs.second)
  }
}

package let secondsPerDay = 86_400

extension CivilDateTime: CustomStringConvertible {
  /// The time in the basic form of ISO 8601, which RFC 5545 uses, `20271224T090000`.
  public var description: String {
    date.basicText + "T" + hour.padded(to: 2) + minute.padded(to: 2) + second.padded(to: 2)
  }
}

extension CivilDate {
  /// The date in the basic form of ISO 8601, which RFC 5545 uses, `20271224`.
  package var basicText: String { year.padded(to: 4) + month.padded(to: 2) + day.padded(to: 2) }

  /// The date in the extended form of ISO 8601, `2027-12-24`.
  package var extendedText: String { year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2) }
}

extension Int {
  /// The decimal digits with zeros before them up to a width.
  package func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
