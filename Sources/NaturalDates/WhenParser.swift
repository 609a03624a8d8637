import CivilTime
import FoundationEssentials

/// A parser of WHENs of the command line: `2026-12-24 18:30`, `tomorrow 9am`, `fri 17:00`, `in 10 minutes`.
///
/// WHENs are in English; upper and lower case are the same, as is any white space. A date without a time means the
/// default time, a time without a date that has passed means tomorrow, a weekday its next occurrence; `next` adds a
/// week if that is within this week, Monday to Sunday. Hours and minutes from now (`in 10 minutes`, `+2h`) are exact;
/// days, weeks, months and years keep the time of day.
package struct WhenParser: Sendable {
  /// The least seconds from now to the minute that `in N minutes` names. A nearer minute could pass before the item is
  /// saved, and would never ring.
  private static let leastLead = 10.0

  let now: Date
  let zone: Zone
  private let defaultTime: TimeOfDay

  /// A parser for the time `now` in `zone`; a date without a time means `defaultTime`.
  package init(now: Date, zone: Zone, defaultTime: TimeOfDay) {
    self.now = now
    self.zone = zone
    self.defaultTime = defaultTime
  }

  /// The wall time of a WHEN in the parser's zone, to the minute; `When.none` for `none`.
  ///
  /// - Throws: `WhenError` for a WHEN that is ambiguous, impossible, under a minute from now, outside 1970 to 9999 or
  ///   not understood, and for an exact instant in the second of two repeated hours, since a wall time means the first.
  package func parse(_ text: String) throws(WhenError) -> When {
    switch try meaning(of: text) {
    case nil: return .none
    case .wall(let wall):
      _ = try fireDate(zone.instant(of: wall).instant, text)
      return .at(wall)
    case .instant(let instant):
      return .at(try wallTime(of: instant, text))
    }
  }

  /// The instant of a WHEN, for uses that need no wall time; `nil` for `none`.
  ///
  /// - Throws: `WhenError` as `parse`, except that any exact instant is accepted.
  package func parseInstant(_ text: String) throws(WhenError) -> FireDate? {
    switch try meaning(of: text) {
    case nil: nil
    case .wall(let wall): try fireDate(zone.instant(of: wall).instant, text)
    case .instant(let instant): instant
    }
  }

  private enum Meaning {
    case wall(WallTime)
    case instant(FireDate)
  }

  private func meaning(of text: String) throws(WhenError) -> Meaning? {
    let resolver = WhenResolver(now: now, zone: zone, defaultTime: defaultTime)
    var reader = try WhenReader(text, today: resolver.today)
    if let timestamp = Timestamp(reader.tokens.unreadText) { return try meaning(of: timestamp, reader) }
    guard let expression = try reader.expression() else { return nil }
    guard let span = expression.span else { return .wall(try resolver.wallTime(expression, reader)) }
    let (wall, minutes) = try resolver.wallTime(after: span, at: expression.time, reader)
    guard minutes > 0 else { return .wall(wall) }
    let start = span.days == 0 && span.months == 0 ? now : zone.instant(of: wall).instant
    let end = start.addingTimeInterval(Double(minutes) * 60)
    let named = try fireDate(end, text)
    guard named.date.timeIntervalSince(now) < Self.leastLead else { return .instant(named) }
    return .instant(try fireDate(end.addingTimeInterval(60), text))
  }

  private func meaning(of timestamp: Timestamp, _ reader: WhenReader) throws(WhenError) -> Meaning {
    let text = reader.tokens.unreadText
    let date = try reader.date(timestamp.year, timestamp.month, timestamp.day, String(text.prefix(10)))
    guard let time = timestamp.time else { throw reader.refusal("has no time of day: it is outside 00:00 to 23:59") }
    guard let instant = timestamp.instant else { return .wall(WallTime(date: date, time: time)) }
    return .instant(try fireDate(instant, text))
  }

  /// The wall time that resolves to an instant.
  ///
  /// - Throws: `WhenError` if there is none.
  private func wallTime(of instant: FireDate, _ text: String) throws(WhenError) -> WallTime {
    let wall = zone.wallTime(at: instant.date)
    let read = zone.instant(of: wall)
    // Offsets with seconds, in use until 1972, leave a difference of less than a minute.
    guard abs(read.instant.timeIntervalSince(instant.date)) >= 60 else { return wall }
    guard read.resolution == .overlap else {
      throw WhenError(message: "\(inQuotes(text)) is after 9999 in \(zone.identifier): dates run from 1970 to 9999")
    }
    let day = "\(wall.date.day) \(WhenWords.name(ofMonth: wall.date.month))"
    throw WhenError(
      message:
        "\(inQuotes(text)) is the second \(wall.time) of \(day), after the clocks go back, and would be taken for "
        + "the first: write a later time, or give the item the time zone UTC")
  }

  private func fireDate(_ instant: Date, _ text: String) throws(WhenError) -> FireDate {
    do {
      return try FireDate(instant)
    } catch {
      throw WhenError(message: "\(inQuotes(text)): \(error)")
    }
  }
}

/// An error about a WHEN or DURATION.
package struct WhenError: Error, Hashable, CustomStringConvertible {
  /// The problem and what to write instead, in one sentence.
  package let message: String

  /// An error with this message.
  package init(message: String) { self.message = message }

  package var description: String { message }
}
