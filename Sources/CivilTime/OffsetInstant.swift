import ByteOutput
import FoundationEssentials

/// An instant in whole seconds with an offset from UTC, as in RFC 3339.
///
/// Prints the text from which it was parsed, except for fractions of a second, which are lost, and for a space or small
/// letter in place of `T` or `Z`.
public struct OffsetInstant: Hashable, Sendable, CustomStringConvertible {
  /// Seconds after 1970-01-01T00:00Z; the local time is in the years 0000 to 9999.
  let secondsSinceEpoch: Int
  /// Minutes east of UTC; `nil` for UTC itself, written `Z`.
  public let offsetMinutes: Int?

  private static let seconds = -62_167_219_200...253_402_300_799

  package init(secondsSinceEpoch: Int, offsetMinutes: Int?) {
    (self.secondsSinceEpoch, self.offsetMinutes) = (secondsSinceEpoch, offsetMinutes)
  }

  /// An instant with the offset of a zone.
  ///
  /// RFC 3339 has no seconds in offsets and no years beyond 9999. Offsets with seconds (the last was Liberia's, until
  /// 1972) are cut to whole minutes. A local time outside the years 0000 to 9999 is written in UTC instead, and an
  /// instant outside them becomes their first or last second.
  public init(_ instant: Date, in zone: Zone) {
    secondsSinceEpoch = min(max(Zone.seconds(instant), Self.seconds.lowerBound), Self.seconds.upperBound)
    let offset = zone.offset(at: instant) / 60
    let isInUTC = (offset == 0 && zone.isUTC) || !Self.seconds.contains(secondsSinceEpoch + offset * 60)
    offsetMinutes = isInUTC ? nil : offset
  }

  /// The instant of an RFC 3339 text such as `2026-11-21T09:00:00+01:00`, without fractions of a second, years 0000 to
  /// 9999; `nil` for anything else.
  public init?(_ text: String) {
    guard let timestamp = Timestamp(text), timestamp.second != nil, let offset = timestamp.offset,
      let instant = timestamp.instant
    else { return nil }
    secondsSinceEpoch = Zone.seconds(instant)
    offsetMinutes = text.utf8.last.map { $0 | 0x20 } == UInt8(ascii: "z") ? nil : offset / 60
  }

  /// The instant without its offset.
  public var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch)) }

  /// The local time, to the minute.
  public var wallTime: WallTime { WallTime(minutesSinceEpoch: floorQuotient(localSeconds, 60)) }

  /// The offset in RFC 3339: `+01:00`, or `Z`.
  public var offset: String { String(atMost: 6) { appendOffset(to: &$0) } }

  /// The text in RFC 3339: `2026-11-21T09:00:00+01:00`.
  public var description: String { String(atMost: Self.length) { append(to: &$0) } }

  /// The largest length of a description, in bytes.
  package static let length = 25

  /// Appends the description in UTF-8.
  package func append(to text: inout ByteOutput) {
    wallTime.append(to: &text)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(floorRemainder(localSeconds, 60), 2)
    appendOffset(to: &text)
  }

  private func appendOffset(to text: inout ByteOutput) {
    guard let offsetMinutes else { return text.append(UInt8(ascii: "Z")) }
    text.append(UInt8(ascii: offsetMinutes < 0 ? "-" : "+"))
    text.appendPadded(abs(offsetMinutes) / 60, 2)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(abs(offsetMinutes) % 60, 2)
  }

  private var localSeconds: Int { secondsSinceEpoch + (offsetMinutes ?? 0) * 60 }
}

/// The instant of an RFC 3339 text; see ``OffsetInstant``.
public func parseRFC3339(_ text: String) -> Date? { OffsetInstant(text)?.date }

extension Zone {
  /// An instant in RFC 3339 with this zone's offset; see ``OffsetInstant``.
  public func rfc3339(_ instant: Date) -> String { OffsetInstant(instant, in: self).description }

  /// An instant in this zone for people: `Fri 27 Nov 2026 17:00 CET`, with `17:00:05` if `withSeconds`.
  public func readable(_ instant: Date, withSeconds: Bool = false) -> String {
    let wall = wallTime(at: instant)
    let date = wall.date
    let month = WhenWords.shortName(ofMonth: date.month)
    let weekday = WhenWords.shortName(of: date.weekday)
    let seconds = withSeconds ? rfc3339(instant).dropFirst(16).prefix(3) : ""
    let day = "\(weekday) \(date.day) \(month) \(padded(date.year, 4))"
    return "\(day) \(wall.time)\(seconds) \(abbreviation(at: instant))"
  }
}
