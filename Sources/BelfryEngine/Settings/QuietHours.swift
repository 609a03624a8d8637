import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials

/// The hours of each day in which a sink or person gets nothing; messages are held until they end.
public struct QuietHours: Hashable, Sendable {
  /// The beginning, in the zone of floating items.
  public let from: TimeOfDay
  /// The end: on the same day, or on the next if it is not after `from`.
  public let to: TimeOfDay

  /// Quiet hours; `nil` if both times are the same.
  init?(from: TimeOfDay, to: TimeOfDay) {
    guard from != to else { return nil }
    self.from = from
    self.to = to
  }

  /// The end of the quiet hours at an instant; `nil` if the instant is outside them.
  package func end(of instant: Date, in zone: Zone) -> Date? {
    let local = zone.wallTime(at: instant)
    let isOverMidnight = to < from
    let isQuiet = isOverMidnight ? local.time >= from || local.time < to : local.time >= from && local.time < to
    guard isQuiet else { return nil }
    let day = WallTime(date: local.date, time: to)
    let end = zone.instant(of: isOverMidnight && local.time >= from ? day.adding(days: 1) : day).instant
    // In an hour that the clocks show twice, the end may already have passed the first time.
    return end > instant ? end : nil
  }
}

extension Sequence<QuietHours?> {
  /// The first instant from `instant` on that is outside all of these quiet hours.
  func permitted(from instant: Date, in zone: Zone?) -> Date {
    guard let zone else { return instant }
    let hours = compactMap(\.self)
    // The end of the ones may lie within the others.
    return (hours + hours).reduce(instant) { permitted, hours in hours.end(of: permitted, in: zone) ?? permitted }
  }
}

extension QuietHours {
  /// The section `quiet_hours` of a sink or person.
  static let configType = ConfigType<QuietHours>.section { section in
    let from = section.require("from", .timeOfDay, "The start, on the local clock.")
    let to = section.require("to", .located(.timeOfDay), "The end; on the next day if it is earlier than the start.")
    guard let from, let to else { return nil }
    guard let hours = QuietHours(from: from, to: to.value) else {
      section.error("the quiet hours begin and end at \(from): name two times", at: to.position)
      return nil
    }
    return hours
  }
}
