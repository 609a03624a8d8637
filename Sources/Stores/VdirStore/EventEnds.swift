import BelfryEngine
import BelfryModel
import FoundationEssentials

/// Ends events that have begun, since nobody checks them.
struct EventEnds {
  let planner: Planner
  let now: Date

  /// The seconds for which an event that has begun stays as it is.
  private static let grace = 3_600.0

  /// The event at its next occurrence, or checked without one.
  func movedOn(_ event: Item, at instant: Date) throws -> Item {
    var event = event
    let zone = try planner.zone(event.zone)
    guard let due = event.due, due.instant.date < instant, !event.isChecked else { return event }
    if let next = planner.occurrence(of: event, atOrAfter: zone.wallTime(at: instant)) {
      event.due = try planner.resolve(next, in: zone)
    } else {
      (event.isChecked, event.checkedAt) = (true, due.instant.date)
    }
    return event
  }

  /// Advances the events that began an hour ago, except snoozed ones.
  func moveOn(in transaction: any StoreTransaction) throws {
    let instant = now.addingTimeInterval(-Self.grace)
    var begun: [Item] = []
    try transaction.forEachItem(ItemQuery(kind: .events, dueBefore: instant)) { begun.append($0.item) }
    for event in begun {
      let scheduled = try transaction.reminders(of: .item(event.id), at: nil, state: .scheduled)
      guard let due = event.due?.local, !scheduled.contains(where: { $0.occurrence.wallTime <= due }) else { continue }
      let moved = try movedOn(event, at: instant)
      if moved != event { try transaction.update(moved) }
    }
  }
}
