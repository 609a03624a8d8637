import FoundationEssentials
import RecurrenceRules

/// The instant that an RFC 3339 text such as `2026-11-21T09:00:00+01:00` names, in whole seconds (a fraction is left
/// out), years 0000 to 9999; `nil` for anything else.
public func parseRFC3339(_ text: String) -> Date? {
  guard let timestamp = Timestamp(text), timestamp.second != nil else { return nil }
  return timestamp.instant
}

extension Zone {
  /// An instant in this zone as RFC 3339 writes it, in whole seconds: `2026-11-21T09:00:00+01:00`, with `Z` where the
  /// zone is UTC.
  ///
  /// RFC 3339 has no seconds in offsets and no years beyond 9999. Of an offset with seconds (the last was Liberia's,
  /// until 1972) the whole minutes are used, and what would leave the years 0000 to 9999 is written in UTC: the text
  /// always names the instant. An instant outside these years becomes the first or last second of them.
  public func rfc3339(_ instant: Date) -> String {
    String(capacity: Zone.rfc3339Length) { append(rfc3339: instant, to: &$0) }
  }

  /// The most bytes of an instant in RFC 3339.
  static let rfc3339Length = 25

  /// Appends an instant as ``rfc3339(_:)`` writes it to what is put together as bytes.
  func append(rfc3339 instant: Date, to text: inout OutputSpan<UInt8>) {
    let seconds = min(max(Zone.seconds(instant), Zone.firstSecond), Zone.lastSecond)
    let offset = offset(at: instant) / 60
    let local = seconds + offset * 60
    let isInUTC = (offset == 0 && isUTC) || !(Zone.firstSecond...Zone.lastSecond).contains(local)
    WallTime(minutesSinceEpoch: floorQuotient(isInUTC ? seconds : local, 60)).append(to: &text)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(floorModulo(seconds, 60), 2)
    guard !isInUTC else { return text.append(UInt8(ascii: "Z")) }
    text.append(UInt8(ascii: offset < 0 ? "-" : "+"))
    text.appendPadded(abs(offset) / 60, 2)
    text.append(UInt8(ascii: ":"))
    text.appendPadded(abs(offset) % 60, 2)
  }

  /// An instant in this zone as people read it: `Fri 27 Nov 2026 17:00 CET`, or `17:00:05` where seconds count.
  public func readable(_ instant: Date, withSeconds: Bool = false) -> String {
    let wall = wallTime(at: instant)
    let date = wall.date
    let month = WhenWords.name(ofMonth: date.month).prefix(3)
    let weekday = WhenWords.name(of: date.weekday).prefix(3)
    let seconds = withSeconds ? rfc3339(instant).dropFirst(16).prefix(3) : ""
    let day = "\(weekday) \(date.day) \(month) \(padded(date.year, 4))"
    return "\(day) \(wall.time)\(seconds) \(abbreviation(at: instant))"
  }

  private static let firstSecond = -62_167_219_200
  private static let lastSecond = 253_402_300_799
}
