import BelfryModel
import CivilTime
import FoundationEssentials

/// A reminder that an item or list asks for.
public struct PlannedReminder: Hashable, Sendable {
  /// The identity derived from the occurrence.
  public let id: UUID
  /// What rings.
  public let occurrence: Occurrence
  /// When it rings.
  public let fireDate: FireDate
}

/// Computes fire dates from items and lists. Pure: the same values always give the same plan.
public struct Planner: Sendable {
  /// How often an item nags for each occurrence and lead time.
  public static let nagLimit = 24

  /// The zone of floating items.
  public let floatingZone: Zone
  private let zones: ZoneDatabase

  /// A planner that reads floating items on the clock of `floatingZone`.
  public init(floatingZone: Zone, zones: ZoneDatabase) {
    self.floatingZone = floatingZone
    self.zones = zones
  }

  /// The rules of an item's zone.
  ///
  /// - Throws: ``BelfryError`` `.badInput` where the system does not know the zone (any more).
  public func zone(_ zone: ItemZone) throws -> Zone {
    switch zone {
    case .floating: return floatingZone
    case .fixed(let identifier):
      do {
        return try zones.zone(identifier)
      } catch {
        throw BelfryError(error)
      }
    }
  }

  /// The zone with an IANA name, in its right spelling; `nil` where the system does not know it.
  public func zone(ifKnown identifier: String) -> Zone? { zones.zone(ifKnown: identifier) }

  /// What is wrong with a zone; `nil` where the system knows it.
  func fault(of zone: ItemZone) -> UnknownZone? {
    guard case .fixed(let identifier) = zone else { return nil }
    do {
      _ = try zones.zone(identifier)
      return nil
    } catch {
      return error
    }
  }

  /// The instant that a wall-clock time means.
  ///
  /// - Throws: ``BelfryError`` `.badInput` outside the years 1970 to 9999.
  public func resolve(_ local: WallTime, in zone: Zone) throws -> DueDate {
    do {
      return DueDate(local: local, instant: try FireDate(zone.instant(of: local).instant))
    } catch {
      throw BelfryError(.badInput, "\(local) cannot be a due date: \(error)")
    }
  }

  /// What an item asks for; nothing while it is checked, undated or switched off, nothing new while the system does not
  /// know its zone.
  ///
  /// One reminder for each alert: of a repeating item the next one from `now` on, of any other its only one. What is
  /// scheduled already and still belongs to the item stays, snoozes and nags among it.
  ///
  /// - Parameter isOver: whether a reminder has rung or was missed and so never rings again.
  public func reminders(
    for item: Item, known: [Reminder], now: Date, isOver: (PlannedReminder) throws -> Bool = { _ in false }
  ) throws -> [PlannedReminder] {
    guard let plan = plan(of: item) else { return [] }
    return try plan.reminders(known: known, now: now, isOver: isOver)
  }

  /// What a list's own reminder asks for; nothing while nothing on the list is unchecked.
  public func reminders(
    for list: Checklist, unchecked: Int, known: [Reminder], now: Date,
    isOver: (PlannedReminder) throws -> Bool = { _ in false }
  ) throws -> [PlannedReminder] {
    guard unchecked > 0, let plan = plan(of: list) else { return [] }
    return try plan.reminders(known: known, now: now, isOver: isOver)
  }

  /// The plan of an item; `nil` while it asks for nothing.
  func plan(of item: Item) -> OwnerPlan? {
    guard let due = item.due, item.shouldRemind, !item.isChecked else { return nil }
    let zone = try? zone(item.zone)
    return OwnerPlan(
      owner: .item(item.id), uuid: item.uuid, leads: item.alerts,
      // A hand may have written that: it would ring without end.
      nag: item.nag == .zero ? nil : item.nag,
      series: OccurrenceSeries(
        due: due.local, recurrence: item.recurrence, zone: zone ?? floatingZone,
        hasLeadsOnTheClock: item.isDueAllDay),
      isZoneKnown: zone != nil)
  }

  /// The plan of a list's own reminder; `nil` while it has none.
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

extension BelfryError {
  /// An unknown zone, with the nearest names.
  public init(_ error: UnknownZone) {
    self.init(
      .badInput, "unknown time zone '\(error.identifier)'",
      hint: error.nearest.isEmpty
        ? "use an IANA name such as Europe/Zurich, or floating"
        : "did you mean \(error.nearest.joined(separator: ", "))?")
  }
}
