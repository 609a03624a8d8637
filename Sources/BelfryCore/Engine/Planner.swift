import Foundation

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

  /// What an item asks for, one reminder for each alert; nothing while it is checked, undated or switched off.
  public func reminders(for item: Item) throws -> [PlannedReminder] {
    guard let due = item.due, item.shouldRemind, !item.isChecked else { return [] }
    let zone = try zone(item.zone)
    return item.alerts.compactMap { lead in
      reminder(of: .item(item.id), uuid: item.uuid, due: due.local, lead: lead, zone: zone)
    }
  }

  /// What a list's own reminder asks for; nothing while nothing on the list is unchecked.
  public func reminders(for list: Checklist, unchecked: Int) throws -> [PlannedReminder] {
    guard let reminder = list.reminder, unchecked > 0 else { return [] }
    let zone = try zone(reminder.zone)
    return [self.reminder(of: .list(list.id), uuid: list.uuid, due: reminder.due.local, lead: .zero, zone: zone)]
      .compactMap { $0 }
  }

  // A day of lead time is a day on the wall clock, a minute is a minute: days move before the zone resolves the
  // time, minutes after. A lead that reaches back before 1970 is no occurrence.
  private func reminder(
    of owner: ReminderOwner, uuid: UUID, due: WallTime, lead: CalendarDuration, zone: Zone
  ) -> PlannedReminder? {
    let base = zone.instant(of: due.adding(days: -lead.days)).instant
    guard let fireDate = try? FireDate(base.addingTimeInterval(-60 * Double(lead.minutes))) else { return nil }
    let occurrence = Occurrence(owner: owner, wallTime: due, lead: lead)
    return PlannedReminder(
      id: occurrence.reminderID(ownerUUID: uuid), occurrence: occurrence, fireDate: fireDate)
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
