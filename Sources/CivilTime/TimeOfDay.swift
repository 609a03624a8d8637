/// A minute of the day on the wall clock, 00:00 to 23:59.
public struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int

  /// The time with these fields; `nil` if the clock has no such time, such as 24:00.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.hour = hour
    self.minute = minute
  }

  /// The time written as exactly `09:00`; `nil` for anything else.
  public init?(parsing text: String) {
    let bytes = Array(text.utf8.prefix(6))
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = decimal(bytes[0..<2]),
      let minute = decimal(bytes[3..<5])
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// The time this many minutes after 00:00, modulo a day.
  package init(minutesSinceMidnight: Int) {
    let minutes = floorRemainder(minutesSinceMidnight, 1_440)
    hour = minutes / 60
    minute = minutes % 60
  }

  /// Minutes after 00:00, 0 to 1439.
  public var minutesSinceMidnight: Int { hour * 60 + minute }

  /// Hours and minutes in two digits each, as `09:00`.
  public var description: String { "\(padded(hour, 2)):\(padded(minute, 2))" }

  /// Orders by time, earlier times first.
  public static func < (lhs: TimeOfDay, rhs: TimeOfDay) -> Bool {
    lhs.minutesSinceMidnight < rhs.minutesSinceMidnight
  }
}
