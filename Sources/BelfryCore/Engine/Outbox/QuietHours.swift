import FoundationEssentials

/// The hours of each day in which a sink gets nothing: what fires then is held until they end.
public struct QuietHours: Hashable, Sendable {
  /// When they begin, on the clock of floating items.
  public let from: TimeOfDay
  /// When they end: on the same day, or on the next where that is no later than `from`.
  public let to: TimeOfDay

  /// Quiet hours; none where both times are the same.
  public init?(from: TimeOfDay, to: TimeOfDay) {
    guard from != to else { return nil }
    self.from = from
    self.to = to
  }

  /// The end of the quiet hours that an instant lies in; `nil` where it lies in none.
  public func end(of instant: Date, in zone: Zone) -> Date? {
    let local = zone.wallTime(at: instant)
    let isOverMidnight = to < from
    let isQuiet = isOverMidnight ? local.time >= from || local.time < to : local.time >= from && local.time < to
    guard isQuiet else { return nil }
    let day = WallTime(date: local.date, time: to)
    let end = zone.instant(of: isOverMidnight && local.time >= from ? day.adding(days: 1) : day).instant
    // In an hour that the clocks show twice, the end may have passed the first time round.
    return end > instant ? end : nil
  }
}

extension QuietHours {
  private static let fromKey = RequiredConfigKey("from", .timeOfDay, "When the quiet begins, on the local clock.")
  private static let toKey = RequiredConfigKey("to", .timeOfDay, "When it ends, on the next day where that is earlier.")

  /// The section `quiet_hours` of a sink.
  static let configType = ConfigType<QuietHours>.section([fromKey, toKey]) { section in
    guard let from = section.value(fromKey), let to = section.value(toKey) else { return nil }
    guard let hours = QuietHours(from: from, to: to) else {
      section.error("the quiet hours begin and end at \(from): name two times", at: section.position(of: toKey.name))
      return nil
    }
    return hours
  }
}
