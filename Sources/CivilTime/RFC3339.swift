import FoundationEssentials

/// The instant that an RFC 3339 text names; see ``OffsetInstant``.
public func parseRFC3339(_ text: String) -> Date? { OffsetInstant(text)?.date }

extension Zone {
  /// An instant in this zone as RFC 3339 writes it; see ``OffsetInstant``.
  public func rfc3339(_ instant: Date) -> String { OffsetInstant(instant, in: self).description }

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
}
