import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// Ends events that are over, since people do not check them off.
struct EventEnds {
  let planner: Planner
  let now: Date

  /// The seconds after which an event without an end is over.
  private static let grace = 3_600.0

  /// The event at its first occurrence that is not over, or checked if there is none.
  func movedOn(_ event: Item) throws -> Item {
    var event = event
    let zone = try planner.zone(event.zone)
    guard let due = event.due, !event.isChecked, end(of: event, at: due.local, in: zone) <= now else { return event }
    let length = event.content.length ?? .zero
    let earliest = zone.wallTime(at: now).adding(days: -length.days - 1, minutes: -length.minutes)
    var next = planner.occurrence(of: event, atOrAfter: max(earliest, due.local))
    while let time = next, end(of: event, at: time, in: zone) <= now {
      next = planner.occurrence(of: event, atOrAfter: time.adding(days: 0, minutes: 1))
    }
    if let next {
      event.due = try planner.resolve(next, in: zone)
    } else {
      (event.isChecked, event.checkedAt) = (true, due.instant.date)
    }
    return event
  }

  private func end(of event: Item, at due: WallTime, in zone: Zone) -> Date {
    guard let length = event.content.length else {
      return zone.instant(of: due).instant.addingTimeInterval(Self.grace)
    }
    guard !event.isDueAllDay else { return zone.start(of: due.date.adding(days: length.days)) }
    return zone.instant(of: due.adding(days: length.days)).instant.addingTimeInterval(60 * Double(length.minutes))
  }

  /// The stored events that are over, each in the form that ``movedOn(_:)`` gives it. An event stays while it rings, is
  /// snoozed, or has a pending message.
  func over(in view: any StoreView) throws -> [Item] {
    var begun: [Item] = []
    try view.forEachItem(ItemQuery(kind: .events, dueBefore: now)) { begun.append($0.item) }
    return try begun.compactMap { event in
      let moved = try movedOn(event)
      guard moved != event, let due = event.due?.local else { return nil }
      let scheduled = try view.reminders(of: .item(event.id), at: nil, state: .scheduled)
      guard !scheduled.contains(where: { $0.occurrence.wallTime <= due }) else { return nil }
      // Messages about an event that is over are dropped, so it stays open while one waits for its sink.
      return try view.deliveries(of: .item(event.id), state: .pending).isEmpty ? moved : nil
    }
  }
}
