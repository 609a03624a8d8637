import BelfryModel
import CivilTime
import FoundationEssentials
import Synchronization

/// A reminder that an item or list asks for.
public struct PlannedReminder: Hashable, Sendable {
  /// The id, derived from the occurrence.
  public let id: UUID
  /// The occurrence that it rings for.
  public let occurrence: Occurrence
  /// The minute at which it rings.
  public let fireDate: FireDate
}

/// Computes fire dates of items and lists. Pure: the same values always give the same plan.
public struct Planner: Sendable {
  /// The most nags for each occurrence and lead time.
  package static let nagLimit = 24

  /// The zone of floating items.
  public let floatingZone: Zone
  private let zones: ZoneDatabase
  private let found = FoundZones()

  /// A planner that reads floating items in `floatingZone`.
  public init(floatingZone: Zone, zones: ZoneDatabase) {
    self.floatingZone = floatingZone
    self.zones = zones
  }

  /// The zone of an item.
  ///
  /// - Throws: ``BelfryError`` `.badInput` if the system does not know the zone (any more).
  public func zone(_ zone: ItemZone) throws -> Zone {
    switch zone {
    case .floating: return floatingZone
    case .fixed(let identifier):
      if let known = found.zone(identifier) { return known }
      do {
        let zone = try zones.zone(identifier)
        found.note(zone, identifier)
        return zone
      } catch {
        throw BelfryError(error)
      }
    }
  }

  /// The zone in which an item is shown: its own, or the floating one if the system does not know that.
  package func displayZone(_ zone: ItemZone) -> Zone { (try? self.zone(zone)) ?? floatingZone }

  /// The zone with an IANA name, in its canonical spelling; `nil` if the system does not know it.
  public func zone(ifKnown identifier: String) -> Zone? { zones.zone(ifKnown: identifier) }

  /// The names of all zones that the system knows, in alphabetical order.
  package var zoneNames: [String] { zones.sortedNames }

  /// The error for an unknown zone; `nil` if the system knows it.
  func fault(of zone: ItemZone) -> UnknownZone? {
    guard case .fixed(let identifier) = zone else { return nil }
    do {
      _ = try zones.zone(identifier)
      return nil
    } catch {
      return error
    }
  }

  /// A wall-clock time with its instant in a zone.
  ///
  /// - Throws: ``BelfryError`` `.badInput` outside the years 1970 to 9999.
  package func resolve(_ local: WallTime, in zone: Zone) throws -> DueDate {
    do {
      return DueDate(local: local, instant: try FireDate(zone.instant(of: local).instant))
    } catch {
      throw BelfryError(.badInput, "\(local) cannot be a due date: \(error)")
    }
  }

  /// The reminders that an item asks for: none while it is checked, undated or its reminder is off, and no new ones
  /// while the system does not know its zone.
  ///
  /// One reminder for each alert: for a repeating item the next from `now` on, for any other item its only one.
  /// Scheduled reminders that still belong to the item are included, as are its snoozes and nags.
  ///
  /// - Parameter isOver: whether a reminder has fired or was missed, and so never fires again.
  public func reminders(
    for item: Item, known: [Reminder], now: Date, isOver: (PlannedReminder) throws -> Bool = { _ in false }
  ) throws -> [PlannedReminder] {
    guard let plan = plan(of: item) else { return [] }
    return try plan.reminders(known: known, now: now, isOver: isOver)
  }

  /// The reminders that a list's own reminder asks for: none while the list has no unchecked item.
  public func reminders(
    for list: Checklist, unchecked: Int, known: [Reminder], now: Date,
    isOver: (PlannedReminder) throws -> Bool = { _ in false }
  ) throws -> [PlannedReminder] {
    guard unchecked > 0, let plan = plan(of: list) else { return [] }
    return try plan.reminders(known: known, now: now, isOver: isOver)
  }

  /// The alerts of a repeating item that are past although its due date, to which they belong, is to come.
  func pastAlerts(of item: Item, now: Date) -> [PlannedReminder] {
    guard item.recurrence != nil, let due = item.due, due.instant.date > now, let plan = plan(of: item),
      plan.isZoneKnown, !item.exceptions.contains(due.local)
    else { return [] }
    return plan.leads.compactMap { plan.reminder(due.local, lead: $0) }.filter { $0.fireDate.date <= now }
  }

  /// The plan of an item; `nil` if it asks for no reminder.
  func plan(of item: Item) -> OwnerPlan? {
    guard let due = item.due, item.shouldRemind, !item.isChecked else { return nil }
    let zone = try? zone(item.zone)
    return OwnerPlan(
      owner: .item(item.id), uuid: item.uuid, leads: item.alerts,
      // An interval of zero, written by hand, would nag forever.
      nag: item.nag == .zero ? nil : item.nag,
      series: series(of: item, due, in: zone), isZoneKnown: zone != nil)
  }

  /// The snooze of an item's due date until an instant; `nil` for an item that does not ring, and for an end that no
  /// reminder can have.
  package func snooze(of item: Item, until end: Date, at now: Date) -> Reminder? {
    guard let plan = plan(of: item), let fireDate = try? FireDate(end) else { return nil }
    let planned = plan.snooze(of: plan.series.due, until: fireDate)
    return Reminder(
      id: planned.id, occurrence: planned.occurrence, fireDate: fireDate, state: .scheduled,
      changedAt: now.wholeSeconds)
  }

  /// The occurrences of an item, whether or not it rings; `nil` without a due date.
  func series(of item: Item) -> OccurrenceSeries? {
    item.due.map { series(of: item, $0, in: try? zone(item.zone)) }
  }

  private func series(of item: Item, _ due: DueDate, in zone: Zone?) -> OccurrenceSeries {
    OccurrenceSeries(
      due: due.local, recurrence: item.recurrence, exceptions: item.exceptions, additions: item.additions,
      zone: zone ?? floatingZone, hasLeadsOnTheClock: item.isDueAllDay)
  }

  /// The first occurrence of an item that takes place: at its due date, after it, or besides the rule; `nil` for none.
  package func firstOccurrence(of item: Item) -> WallTime? {
    guard let series = series(of: item) else { return nil }
    let isDue = !item.exceptions.contains(series.due)
    let first = isDue ? series.due : series.next(after: series.due)
    return (item.additions.filter { !item.exceptions.contains($0) } + [first].compactMap(\.self)).min()
  }

  /// The first occurrence of an item at a time or after it; `nil` for none.
  package func occurrence(of item: Item, atOrAfter time: WallTime) -> WallTime? {
    series(of: item)?.next(after: time.adding(days: 0, minutes: -1))
  }

  /// The plan of a list's own reminder; `nil` if it has none.
  func plan(of list: Checklist) -> OwnerPlan? {
    guard let reminder = list.reminder else { return nil }
    let zone = try? zone(reminder.zone)
    return OwnerPlan(
      owner: .list(list.id), uuid: list.uuid, leads: [.zero], nag: nil,
      series: OccurrenceSeries(
        due: reminder.recurrence?.start ?? reminder.due.local, recurrence: reminder.recurrence,
        zone: zone ?? floatingZone),
      isZoneKnown: zone != nil)
  }
}

/// The zones that a planner has found: all of its items are planned by one version of the zone files, and only the first
/// item of a zone costs a look at them.
private final class FoundZones: Sendable {
  private let zones = Mutex<[String: Zone]>([:])

  func zone(_ identifier: String) -> Zone? { zones.withLock { $0[identifier] } }

  func note(_ zone: Zone, _ identifier: String) { zones.withLock { $0[identifier] = zone } }
}

extension BelfryError {
  /// An unknown zone, with the nearest names.
  package init(_ error: UnknownZone) {
    self.init(
      .badInput, "unknown time zone '\(error.identifier)'",
      hint: error.nearest.isEmpty
        ? "use an IANA name such as Europe/Zurich, or floating"
        : "did you mean \(error.nearest.joined(separator: ", "))?")
  }
}
