import Foundation

/// A move of the machine to another zone, or new rules for the same one.
public struct ZoneChange: Hashable, Sendable {
  /// The zone that floating items were planned in.
  public let from: String
  /// The zone that they are planned in now.
  public let to: String
  /// How many items and list reminders were planned anew.
  public let items: Int
}

extension Belfry {
  /// Plans floating items anew when the configured or the machine's zone has changed. Only the daemon calls this.
  ///
  /// Wall-clock times stay, instants move; what has rung does not ring again.
  ///
  /// - Parameter last: the zone as it was at the last call, whose rules an update of the system's zone data replaces.
  /// - Returns: the zone as it is now, and what changed, or `nil`.
  public func followZone(last: Zone?) throws -> (zone: Zone, change: ZoneChange?) {
    let zone = try configuredZone()
    return (zone, try follow(zone, hasNewRules: last.map { $0 == zone && !$0.hasSameRules(as: zone) } ?? false))
  }

  private func follow(_ zone: Zone, hasNewRules: Bool) throws -> ZoneChange? {
    let planned = try store.read { try $0.plannedZone() }
    guard planned != zone.identifier || hasNewRules else { return nil }
    return try store.write { transaction in
      let change = Change(
        transaction: transaction, planner: Planner(floatingZone: zone, zones: zones), now: time.now)
      try transaction.setPlannedZone(zone.identifier)
      guard let planned else { return nil }
      return ZoneChange(from: planned, to: zone.identifier, items: try change.replanFloating())
    }
  }
}

extension Change {
  fileprivate func replanFloating() throws -> Int {
    var items: [Item] = []
    try transaction.visitItems(ItemQuery(checked: .any)) { listing in
      if listing.item.zone == .floating, listing.item.due != nil { items.append(listing.item) }
    }
    var count = 0
    for var item in items {
      // A time at the very end of the calendar may not exist in the new zone: that item stays as it is.
      guard let local = item.due?.local, let due = try? planner.resolve(local, in: planner.floatingZone) else {
        continue
      }
      item.due = due
      try transaction.update(item)
      _ = try reschedule(item)
      count += 1
    }
    for var list in try transaction.lists() where list.reminder?.zone == .floating {
      guard var reminder = list.reminder,
        let due = try? planner.resolve(reminder.due.local, in: planner.floatingZone)
      else { continue }
      reminder.due = due
      list.reminder = reminder
      try transaction.update(list)
      try reschedule(list)
      count += 1
    }
    return count
  }
}
