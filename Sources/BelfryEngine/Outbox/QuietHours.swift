import BelfryModel
import CivilTime
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

extension ActiveSink {
  /// The first instant from `instant` on that is outside the quiet hours.
  func permitted(from instant: Date, in zone: Zone?) -> Date {
    zone.flatMap { quietHours?.end(of: instant, in: $0) } ?? instant
  }
}

extension StoreTransaction {
  /// Adds a message with its deliveries, held until the sink's quiet hours end.
  @discardableResult
  func add(_ message: Message, to sink: ActiveSink, fireDate: FireDate, in zone: Zone?) throws -> [Delivery] {
    try add(
      message, recipients: sink.sink.recipients, fireDate: fireDate,
      permittedFrom: sink.permitted(from: message.createdAt, in: zone))
  }
}
