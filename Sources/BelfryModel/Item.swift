import CivilTime
import FoundationEssentials

/// A wall-clock time that rules, with the instant that it means now.
public struct DueDate: Hashable, Sendable {
  /// What the clock on the wall shows, in the item's zone.
  public let local: WallTime
  /// The instant of `local` in the zone that the item was planned in.
  public let instant: FireDate

  /// A due date whose instant was resolved by a ``Planner``.
  public init(local: WallTime, instant: FireDate) {
    self.local = local
    self.instant = instant
  }
}

/// The occurrence that was checked last, so that unchecking can bring it back, once.
public struct CheckedOccurrence: Hashable, Sendable {
  /// What was due.
  public let due: WallTime
  /// The anchor that it counted from.
  public let start: WallTime

  /// An occurrence with all its fields.
  public init(due: WallTime, start: WallTime) {
    self.due = due
    self.start = start
  }
}

/// One thing to do.
public struct Item: Hashable, Sendable {
  /// The item's number, unique in its store and never used again.
  public internal(set) var id: Int64
  /// An identity that stays the same in every store.
  public internal(set) var uuid: UUID
  /// The list that the item is on.
  public var listID: Int64
  /// The place on the list; smaller comes first.
  public var position: Int64
  /// What is to be done: one line, not empty.
  public var text: String
  /// What else there is to say, any number of lines.
  public var notes: String?
  /// Whether it is done.
  public var isChecked: Bool
  /// When it is due.
  public var due: DueDate?
  /// Whose clock `due` is read from.
  public var zone: ItemZone
  /// Whether it rings when due.
  public var shouldRemind: Bool
  /// How long before `due` it rings; one ring for each.
  public var alerts: [CalendarDuration]
  /// How it repeats; `due` is then the occurrence now on the list.
  public var recurrence: Recurrence?
  /// The occurrence of a repeating item that was checked last.
  public var lastChecked: CheckedOccurrence?
  /// How often it rings again, after it has rung, until it is checked.
  public var nag: CalendarDuration?
  /// The category whose actions its reminders offer.
  public var category: String?
  /// What other programs say of it that it has no field for: unfolded content lines (RFC 5545, section 3.1), each
  /// `NAME;PARAMETER=VALUE:VALUE`.
  public var properties: [String]
  /// When the item was made, in whole seconds.
  public internal(set) var createdAt: Date
  /// When the item last changed, in whole seconds.
  public var updatedAt: Date
  /// When the item was last checked, in whole seconds.
  public var checkedAt: Date?
  /// The fields of its file that Belfry does not know.
  package var unknown: UnknownFields?

  /// An item with all its fields.
  public init(
    id: Int64, uuid: UUID, listID: Int64, position: Int64, text: String, notes: String? = nil,
    isChecked: Bool = false, due: DueDate? = nil, zone: ItemZone = .floating, shouldRemind: Bool = false,
    alerts: [CalendarDuration] = [.zero], recurrence: Recurrence? = nil, lastChecked: CheckedOccurrence? = nil,
    nag: CalendarDuration? = nil, category: String? = nil, properties: [String] = [], createdAt: Date, updatedAt: Date,
    checkedAt: Date? = nil
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
    self.properties = properties
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.checkedAt = checkedAt
  }

  /// Whether it is unchecked and was due before `now`.
  public func isOverdue(at now: Date) -> Bool {
    guard !isChecked, let due else { return false }
    return due.instant.date < now
  }
}
