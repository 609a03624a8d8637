import FoundationEssentials

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
