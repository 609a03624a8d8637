import BelfryModel
import CivilTime
import FoundationEssentials
import SystemThreads

/// A move of the machine to another zone, or an update of the system's zone data.
public struct ZoneChange: Hashable, Sendable {
  /// The zone in which floating items were planned.
  public let from: String
  /// The zone in which they are planned now; the same if only the zone data changed.
  public let to: String
  /// The number of items and list reminders whose plans were renewed.
  public let owners: Int
}

/// The extent of a comparison with the current zone data.
///
/// No record says with which zone data it was planned, so the instants themselves are compared. That also finds an
/// update that came while no daemon ran, and a store from a machine with other zone data.
public enum ZoneDataCheck: Hashable, Sendable {
  /// No comparison, since the data are unchanged since the last one.
  case nothing
  /// At least this many of the soonest items and reminders, and all reminders within three days.
  ///
  /// Cheap enough for every start, whatever the size of the schedule. Once a day is often enough for later reminders,
  /// since an update moves none by more than about a day.
  case soonest(Int)
  /// All items and reminders, since the data have changed.
  case everything
}

extension Belfry {
  /// Plans the items and lists again that a change of the machine's zone or of zone data moved. Only the daemon calls
  /// this.
  ///
  /// Wall-clock times stay, instants move; fired reminders do not fire again.
  ///
  /// - Parameters:
  ///   - check: the extent of the comparison if the zone is unchanged; after one difference, everything is compared.
  ///   - lastLook: as in ``planEdits(since:)``.
  ///   - edited: called with the edits of another program that came since. They are planned before: an edit counts from
  ///     when the file was saved, a change of zones from now.
  /// - Returns: the change; `nil` for none.
  func followZones(
    _ check: ZoneDataCheck, since lastLook: Date = .distantPast, noting log: SetAsideLog = SetAsideLog(),
    edited: (PlannedEdits) -> Void = { _ in }
  ) throws -> ZoneChange? {
    let zone = try configuredZone()
    let planner = Planner(floatingZone: zone, zones: zones)
    let (planned, needsPlanning) = try store.read { view in
      let planned = try view.plannedZone()
      let needsPlanning =
        try planned != zone.identifier || !view.misplannedOwners(planner, check, now: time.now, stop, log).isEmpty
      return (planned, needsPlanning)
    }
    guard needsPlanning else { return nil }
    let (edits, zoneChange) = try write { transaction in
      let change = Change(transaction: transaction, planner: planner, now: time.now, stop: stop, log: log)
      let edits = try change.planEdits(since: lastLook)
      if edits != nil { try change.updateCopies(settings) }
      try transaction.setPlannedZone(zone.identifier)
      let owners = try transaction.misplannedOwners(planner, .everything, now: change.now, stop, log)
      for owner in owners {
        try stop.check()
        _ = try log.attempt(owner) { try change.replan(owner) }
      }
      guard let planned, planned != zone.identifier || !owners.isEmpty else { return (edits, ZoneChange?.none) }
      return (edits, ZoneChange(from: planned, to: zone.identifier, owners: owners.count))
    }
    if let edits { edited(edits) }
    return zoneChange
  }
}

extension StoreView {
  private static var soonestSpan: TimeInterval { 3 * 86_400 }

  /// The owners whose due date or scheduled reminder no longer matches its wall-clock time.
  fileprivate func misplannedOwners(
    _ planner: Planner, _ check: ZoneDataCheck, now: Date, _ stop: StopRequest, _ log: SetAsideLog
  ) throws -> Set<ReminderOwner> {
    try readingPastFaults(log.leaveOut) { try misplannedOwners(planner, check, now: now, stop) }
  }

  private func misplannedOwners(
    _ planner: Planner, _ check: ZoneDataCheck, now: Date, _ stop: StopRequest
  ) throws -> Set<ReminderOwner> {
    let limit: Int?
    switch check {
    case .nothing: return []
    case .soonest(let count): limit = count
    case .everything: limit = nil
    }
    var instants = CurrentInstants(planner: planner)
    var owners: Set<ReminderOwner> = []
    try forEachItem(ItemQuery(kind: .any, checked: limit == nil ? .any : .unchecked, limit: limit)) { listing in
      try stop.check()
      if let due = listing.item.due, instants.differ(from: due, in: listing.item.zone) {
        owners.insert(.item(listing.item.id))
      }
    }
    for list in try lists() {
      if let own = list.reminder, instants.differ(from: own.due, in: own.zone) { owners.insert(.list(list.id)) }
    }
    var count = 0
    try visitPending(limit: nil) { pending in
      try stop.check()
      let reminder = pending.reminder
      if let limit, count >= limit, reminder.fireDate.date > now + Self.soonestSpan { return .stop }
      count += 1
      if instants.differ(from: reminder, in: pending.zone) { owners.insert(reminder.occurrence.owner) }
      return .next
    }
    return owners
  }
}

extension Change {
  // A time at the very end of the calendar may not exist in the new zone, and then stays as it is.
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

/// Resolves wall-clock times in the current zones. A time that cannot be resolved counts as unchanged.
private struct CurrentInstants {
  let planner: Planner
  /// Cached, since the database stats the zone's file at each call.
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
