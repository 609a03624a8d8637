import Foundation

/// A move of the machine to another zone, or an update of the system's zone data.
public struct ZoneChange: Hashable, Sendable {
  /// The zone that floating items were planned in.
  public let from: String
  /// The zone that they are planned in now: the same one where only the zone data changed.
  public let to: String
  /// How many items and list reminders were planned anew.
  public let owners: Int
}

extension Belfry {
  /// Plans anew what the machine's zone, or new zone data, moved to another instant. Only the daemon calls this.
  ///
  /// Wall-clock times stay, instants move; what has rung does not ring again. Nothing recorded says which zone data a
  /// plan was made with: every instant is compared with what the zones say now, which also finds an update that came
  /// while no daemon ran, and a store that came from another machine.
  ///
  /// - Parameter hasNewData: whether the zone data may have changed since the last call, so that it is worth comparing.
  /// - Returns: what changed, or `nil`.
  public func followZones(hasNewData: Bool) throws -> ZoneChange? {
    let zone = try configuredZone()
    let planned = try store.read { try $0.plannedZone() }
    let planner = Planner(floatingZone: zone, zones: zones)
    if planned == zone.identifier {
      guard hasNewData, try !store.read({ try $0.misplannedOwners(planner).isEmpty }) else { return nil }
    }
    return try store.write { transaction in
      let change = Change(transaction: transaction, planner: planner, now: time.now)
      try transaction.setPlannedZone(zone.identifier)
      let owners = try transaction.misplannedOwners(planner)
      for owner in owners { try change.replan(owner) }
      return planned.map { ZoneChange(from: $0, to: zone.identifier, owners: owners.count) }
    }
  }
}

extension StoreView {
  /// Whose due date or scheduled reminder lies at another instant than its wall-clock time now does.
  fileprivate func misplannedOwners(_ planner: Planner) throws -> [ReminderOwner] {
    var instants = PresentInstants(planner: planner)
    var owners: Set<ReminderOwner> = []
    try visitItems(ItemQuery(checked: .any)) { listing in
      if let due = listing.item.due, instants.differ(from: due, in: listing.item.zone) {
        owners.insert(.item(listing.item.id))
      }
    }
    for list in try lists() {
      if let own = list.reminder, instants.differ(from: own.due, in: own.zone) { owners.insert(.list(list.id)) }
    }
    try visitPending(limit: nil) { pending in
      if instants.differ(from: pending.reminder, in: pending.zone) { owners.insert(pending.reminder.occurrence.owner) }
    }
    return owners.sorted { $0.order < $1.order }
  }
}

extension Change {
  // A time at the very end of the calendar may not exist in the new zone: that one stays as it is.
  fileprivate func replan(_ owner: ReminderOwner) throws {
    switch owner {
    case .item(let id):
      guard var item = try transaction.item(id: id)?.item, let local = item.due?.local,
        let due = try? planner.resolve(local, in: planner.zone(item.zone))
      else { return }
      item.due = due
      try transaction.update(item)
      _ = try reschedule(item)
    case .list(let id):
      guard var list = try transaction.list(id: id), var own = list.reminder,
        let due = try? planner.resolve(own.due.local, in: planner.zone(own.zone))
      else { return }
      own.due = due
      list.reminder = own
      try transaction.update(list)
      try reschedule(list)
    }
  }
}

/// What wall-clock times mean in the zones as they are now; what has no meaning there differs from nothing.
private struct PresentInstants {
  let planner: Planner
  /// Kept, since asking the database looks at the zone's file each time.
  private var zones: [ItemZone: Zone?] = [:]

  init(planner: Planner) { self.planner = planner }

  mutating func differ(from due: DueDate, in itemZone: ItemZone) -> Bool {
    guard let zone = zone(itemZone), let now = try? planner.resolve(due.local, in: zone) else { return false }
    return now.instant != due.instant
  }

  mutating func differ(from reminder: Reminder, in itemZone: ItemZone) -> Bool {
    let occurrence = reminder.occurrence
    guard occurrence.kind == .planned, let zone = zone(itemZone),
      let now = OccurrenceSeries(due: occurrence.wallTime, recurrence: nil, zone: zone)
        .fireDate(occurrence.wallTime, lead: occurrence.lead)
    else { return false }
    return now != reminder.fireDate
  }

  private mutating func zone(_ itemZone: ItemZone) -> Zone? {
    if let known = zones[itemZone] { return known }
    let zone = try? planner.zone(itemZone)
    zones[itemZone] = .some(zone)
    return zone
  }
}

extension ReminderOwner {
  fileprivate var order: (Int, Int64) {
    switch self {
    case .item(let id): (0, id)
    case .list(let id): (1, id)
    }
  }
}
