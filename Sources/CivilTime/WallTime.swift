import ByteOutput

/// A minute on the wall clock, without a zone: years 0000 to 9999.
///
/// Due dates are kept as wall times, since that is what users mean; a `Zone` turns them into instants. Every value
/// prints as text that parses back to it.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Minutes after 1970-01-01T00:00, counted as if the wall clock showed UTC; negative before.
  public let minutesSinceEpoch: Int

  /// The wall time this many minutes after 1970-01-01T00:00, clamped to the years 0000 to 9999.
  public init(minutesSinceEpoch: Int) {
    self.minutesSinceEpoch = min(max(minutesSinceEpoch, WallTime.earliestMinute), WallTime.latestMinute)
  }

  /// The wall time on a date at a time of day.
  public init(date: CivilDate, time: TimeOfDay) {
    guard (0...9_999).contains(date.year) else {
      self.init(minutesSinceEpoch: date.year < 0 ? Int.min : Int.max)
      return
    }
    self.init(minutesSinceEpoch: date.daysSinceEpoch * 1_440 + time.minutesSinceMidnight)
  }

  /// The start of a day.
  package init(midnightOf date: CivilDate) { self.init(minutesSinceEpoch: date.daysSinceEpoch * 1_440) }

  /// The wall time written as exactly `2026-11-21T09:00`; `nil` for anything else.
  public init?(parsing text: String) {
    let bytes = Array(text.utf8.prefix(17))
    guard bytes.count == 16, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]), let day = decimal(bytes[8..<10]),
      let hour = decimal(bytes[11..<13]), let minute = decimal(bytes[14..<16]),
      let date = CivilDate(year: year, month: month, day: day), let time = TimeOfDay(hour: hour, minute: minute)
    else { return nil }
    self.init(date: date, time: time)
  }

  /// The day that the wall calendar shows.
  public var date: CivilDate { CivilDate(daysSinceEpoch: floorQuotient(minutesSinceEpoch, 1_440)) }

  /// The hour and minute that the clock on the wall shows.
  public var time: TimeOfDay { TimeOfDay(minutesSinceMidnight: minutesSinceEpoch) }

  /// The wall time as `2026-11-21T09:00`.
  public var description: String { String(atMost: WallTime.length) { append(to: &$0) } }

  /// The length of a description, in bytes.
  package static let length = 16

  /// Appends the description in UTF-8.
  package func append(to text: inout ByteOutput) {
    let (date, time) = (date, time)
    text.appendPadded(date.year, 4)
    text.append(UInt8(ascii: "-"))
    text.appendPadded(date.month, 2)
    text.append(UInt8(ascii: "-"))
    text.appendPadded(date.day, 2)
    text.append(UInt8(ascii: "T"))
    text.appendPadded(time.hour, 2)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(time.minute, 2)
  }

  /// The wall time this many days and minutes later on the wall clock, or earlier if negative; clamped to the years
  /// 0000 to 9999.
  public func adding(days: Int, minutes: Int = 0) -> WallTime {
    // Clamped to the whole supported span, so that the sum cannot overflow.
    let days = min(max(days, -WallTime.span), WallTime.span)
    let minutes = min(max(minutes, -WallTime.span * 1_440), WallTime.span * 1_440)
    return WallTime(minutesSinceEpoch: minutesSinceEpoch + days * 1_440 + minutes)
  }

  /// Orders by time, earlier times first.
  public static func < (lhs: WallTime, rhs: WallTime) -> Bool { lhs.minutesSinceEpoch < rhs.minutesSinceEpoch }

  private static let earliestMinute = -719_528 * 1_440
  private static let latestMinute = 2_932_897 * 1_440 - 1
  private static let span = 719_528 + 2_932_897
}

extension WallTime {
  /// The time in the type of the recurrence rules.
  package var civil: CivilDateTime { CivilDateTime(minutesSinceEpoch: minutesSinceEpoch) }

  /// The minute of a time from the recurrence rules.
  package init(civil: CivilDateTime) { self.init(minutesSinceEpoch: civil.minutesSinceEpoch) }
}

/// A parsed WHEN of the command line.
public enum When: Hashable, Sendable {
  /// No time, written `none`.
  case none
  /// A minute on the wall clock, in the parser's zone.
  case at(WallTime)
}
