import CivilTime
import FoundationEssentials

/// A due date: the wall-clock time is authoritative, the instant follows from the zone.
public struct DueDate: Hashable, Sendable {
  /// The wall-clock time in the item's zone.
  public let local: WallTime
  /// The instant of `local`, in the zone for which the item was planned.
  public let instant: FireDate

  /// A due date with an instant that a ``Planner`` has resolved.
  public init(local: WallTime, instant: FireDate) {
    self.local = local
    self.instant = instant
  }
}

/// The occurrence that was checked last, so that unchecking can restore it, once.
public struct CheckedOccurrence: Hashable, Sendable {
  /// The due time.
  public let due: WallTime
  /// The anchor of the recurrence.
  public let start: WallTime

  /// An occurrence with all its fields.
  public init(due: WallTime, start: WallTime) {
    self.due = due
    self.start = start
  }
}

/// An item of a checklist.
public struct Item: Hashable, Sendable {
  /// The item's id, unique in its store, never reused.
  public internal(set) var id: Int64
  /// An id that stays the same in every store.
  public internal(set) var uuid: UUID
  /// The id of its list.
  public var listID: Int64
  /// The position on the list, ascending.
  public var position: Int64
  /// The text: one line, not empty.
  public var text: String
  /// The notes, any number of lines.
  public var notes: String?
  /// True if it is checked.
  public var isChecked: Bool
  /// The due date.
  public var due: DueDate?
  /// The zone of `due`.
  public var zone: ItemZone
  /// True if it reminds when due.
  public var shouldRemind: Bool
  /// The lead times of its reminders before `due`, one reminder for each.
  public var alerts: [CalendarDuration]
  /// The recurrence; `due` is then the current occurrence.
  public var recurrence: Recurrence?
  /// The occurrence of a repeating item that was checked last.
  public var lastChecked: CheckedOccurrence?
  /// The interval of nagging until the item is checked; `nil` for none.
  public var nag: CalendarDuration?
  /// The category, which provides the actions of its reminders.
  public var category: String?
  /// The identity that a program gave it, unique among all items of its store; see ``TextRules/key(_:)``.
  public var key: String?
  /// Properties of other programs for which it has no field: unfolded content lines (RFC 5545 section 3.1), each
  /// `NAME;PARAMETER=VALUE:VALUE`.
  public var properties: [String]
  /// The time of creation, in whole seconds.
  public internal(set) var createdAt: Date
  /// The time of the last change, in whole seconds.
  public var updatedAt: Date
  /// The time of the last check, in whole seconds.
  public var checkedAt: Date?
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// An item with all its fields.
  public init(
    id: Int64, uuid: UUID, listID: Int64, position: Int64, text: String, notes: String? = nil,
    isChecked: Bool = false, due: DueDate? = nil, zone: ItemZone = .floating, shouldRemind: Bool = false,
    alerts: [CalendarDuration] = [.zero], recurrence: Recurrence? = nil, lastChecked: CheckedOccurrence? = nil,
    nag: CalendarDuration? = nil, category: String? = nil, key: String? = nil, properties: [String] = [],
    createdAt: Date, updatedAt: Date, checkedAt: Date? = nil
  ) {
    self.id = id
    self.uuid = uuid
    self.listID = listID
    self.position = position
    self.text = text
    self.notes = notes
    self.isChecked = isChecked
    self.due = due
    self.zone = zone
    self.shouldRemind = shouldRemind
    self.alerts = alerts
    self.recurrence = recurrence
    self.lastChecked = lastChecked
    self.nag = nag
    self.category = category
    self.key = key
    self.properties = properties
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.checkedAt = checkedAt
  }

  /// True if it is unchecked and was due before `now`.
  public func isOverdue(at now: Date) -> Bool {
    guard !isChecked, let due else { return false }
    return due.instant.date < now
  }
}
