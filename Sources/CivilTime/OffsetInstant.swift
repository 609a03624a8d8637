import FoundationEssentials

/// An instant in whole seconds with the offset of the clock that shows it: what an RFC 3339 text says.
///
/// It prints the text that it was read from without asking a zone, but for a fraction of a second and a space or small
/// letter in place of `T` or `Z`.
public struct OffsetInstant: Hashable, Sendable, CustomStringConvertible {
  /// Seconds after 1970-01-01T00:00Z; what the clock shows lies in the years 0000 to 9999.
  public let secondsSinceEpoch: Int
  /// Minutes east of UTC; `nil` for UTC itself, written `Z`.
  public let offsetMinutes: Int?

  private static let seconds = -62_167_219_200...253_402_300_799

  package init(secondsSinceEpoch: Int, offsetMinutes: Int?) {
    (self.secondsSinceEpoch, self.offsetMinutes) = (secondsSinceEpoch, offsetMinutes)
  }

  /// An instant as the clocks of a zone show it.
  ///
  /// RFC 3339 has no seconds in offsets and no years beyond 9999. Of an offset with seconds (the last was Liberia's,
  /// until 1972) the whole minutes are used, and what would leave the years 0000 to 9999 is shown in UTC. An instant
  /// outside these years becomes the first or last second of them.
  public init(_ instant: Date, in zone: Zone) {
    secondsSinceEpoch = min(max(Zone.seconds(instant), Self.seconds.lowerBound), Self.seconds.upperBound)
    let offset = zone.offset(at: instant) / 60
    let isInUTC = (offset == 0 && zone.isUTC) || !Self.seconds.contains(secondsSinceEpoch + offset * 60)
    offsetMinutes = isInUTC ? nil : offset
  }

  /// The instant that an RFC 3339 text such as `2026-11-21T09:00:00+01:00` names, in whole seconds (a fraction is left
  /// out), years 0000 to 9999; `nil` for anything else.
  public init?(_ text: String) {
    guard let timestamp = Timestamp(text), timestamp.second != nil, let offset = timestamp.offset,
      let instant = timestamp.instant
    else { return nil }
    secondsSinceEpoch = Zone.seconds(instant)
    offsetMinutes = text.utf8.last.map { $0 | 0x20 } == UInt8(ascii: "z") ? nil : offset / 60
  }

  /// The instant itself.
  public var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch)) }

  /// The minute that the clock shows.
  public var wallTime: WallTime { WallTime(minutesSinceEpoch: floorQuotient(localSeconds, 60)) }

  /// The offset as RFC 3339 writes it: `+01:00`, or `Z`.
  public var offset: String { String(capacity: 6) { appendOffset(to: &$0) } }

  /// The text in RFC 3339: `2026-11-21T09:00:00+01:00`.
  public var description: String { String(capacity: Self.length) { append(to: &$0) } }

  /// The most bytes of a description.
  package static let length = 25

  /// Appends the description to what is put together as bytes.
  package func append(to text: inout OutputSpan<UInt8>) {
    wallTime.append(to: &text)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(floorRemainder(localSeconds, 60), 2)
    appendOffset(to: &text)
  }

  private func appendOffset(to text: inout OutputSpan<UInt8>) {
    guard let offsetMinutes else { return text.append(UInt8(ascii: "Z")) }
    text.append(UInt8(ascii: offsetMinutes < 0 ? "-" : "+"))
    text.appendPadded(abs(offsetMinutes) / 60, 2)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(abs(offsetMinutes) % 60, 2)
  }

  private var localSeconds: Int { secondsSinceEpoch + (offsetMinutes ?? 0) * 60 }
}
