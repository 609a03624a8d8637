import FoundationEssentials

/// Instants as text, relative to now.
package struct Moment {
  /// The zone whose clock shows them.
  package let zone: Zone
  package let now: Date

  /// Instants on the clock of a zone, relative to `now`.
  package init(zone: Zone, now: Date) { (self.zone, self.now) = (zone, now) }

  /// `today 18:30`, `tomorrow 09:00`, `Fri 27 Nov 09:00`, with the year if it differs.
  package func short(_ instant: Date) -> String {
    let wall = zone.wallTime(at: instant)
    let today = zone.wallTime(at: now).date
    let days = wall.date.daysSinceEpoch - today.daysSinceEpoch
    switch days {
    case 0: return "today \(wall.time)"
    case 1: return "tomorrow \(wall.time)"
    case -1: return "yesterday \(wall.time)"
    default:
      let year = wall.date.year == today.year ? "" : " \(wall.date.year)"
      return "\(Self.weekday(wall.date)) \(wall.date.day) \(Self.month(wall.date))\(year) \(wall.time)"
    }
  }

  /// `Fri 27 Nov 2026 17:00 CET, in 6 days`.
  package func full(_ instant: Date) -> String {
    "\(zone.readable(instant)), \(RelativeTime.words(from: now, to: instant))"
  }

  /// `Fri 20 Nov 2026 17:00 CET, 6 days ago`; as ``full(_:)`` if the clock was set back since.
  package func past(_ instant: Date) -> String {
    guard instant <= now else { return full(instant) }
    return "\(zone.readable(instant)), \(RelativeTime.span(now.timeIntervalSince(instant))) ago"
  }

  /// `Sat 21 Nov 2026`.
  package static func day(_ date: CivilDate) -> String { "\(weekday(date)) \(date.day) \(month(date)) \(date.year)" }

  private static func weekday(_ date: CivilDate) -> String { WhenWords.shortName(of: date.weekday) }

  private static func month(_ date: CivilDate) -> String { WhenWords.shortName(ofMonth: date.month) }
}
