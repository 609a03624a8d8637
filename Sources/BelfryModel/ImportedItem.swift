import CivilTime
import FoundationEssentials
import RecurrenceRules

/// The due date of an imported item.
public enum ImportedDue: Hashable, Sendable {
  /// An instant from 1970 to 9999, fractions of seconds included. It means the local wall-clock time at that instant.
  case instant(Date)
  /// A wall-clock time in a zone, or in the floating zone.
  case local(WallTime, ItemZone)
}

/// An imported item.
public struct ImportedItem: Hashable, Sendable {
  /// The id in the other app, from 0, if it has one; a damaged file may repeat ids.
  public var itemID: Int64?
  /// The UUID in the file, if any.
  public var uuid: UUID?
  /// The first non-blank line of the text, not trimmed, without NUL.
  public var text: String
  /// The following lines, joined by LF; empty if there are none.
  public var notes: String
  /// True if it is checked.
  public var isChecked: Bool
  /// The due date.
  public var due: ImportedDue?
  /// True if the other app would have reminded.
  public var shouldRemind: Bool
  /// The lead times of its reminders; empty for one at the due date.
  public var alerts: [CalendarDuration] = []
  /// The recurrence rule, from the due date on.
  public var rule: RecurrenceRule? {
    get { shared?.rule }
    set { shared = newValue.map(SharedRule.init) }
  }
  /// The wall-clock anchor of the rule; `nil` for the due date.
  public var repeatStart: WallTime?
  /// Occurrences after the due date that do not take place, in the item's zone. Each splits the item in two.
  public var exceptions: [WallTime] = []
  /// All occurrences that do not take place, and those beside the rule, for stores that keep an item in one piece.
  package var excluded: Set<WallTime> = []
  package var added: Set<WallTime> = []
  /// The date from which the next occurrence counts.
  public var repeatOrigin = Recurrence.Origin.due
  /// The occurrence that was checked last.
  public var lastChecked: CheckedOccurrence?
  /// The interval of nagging until the item is checked; `nil` for none.
  public var nag: CalendarDuration?
  /// The category, which provides the actions of its reminders.
  public var category: String?
  /// The identity that a program gave it.
  public var key: String?
  /// The end of its snooze, if it is snoozed.
  public var snoozedUntil: Date?
  /// The time of creation; `nil` for the time of the import.
  public var createdAt: Date?
  /// The time of the last change; `nil` for the time of the import.
  public var updatedAt: Date?
  /// The time of the check.
  public var checkedAt: Date?
  /// The version (SEQUENCE of RFC 5545 section 3.8.7.4). Of several items with one UUID, the highest version wins, and
  /// among equal ones the last changed. `nil` in formats without versions, where the first item wins.
  public var sequence: Int?
  /// Properties of the file for which an item has no field, as unfolded content lines (RFC 5545 section 3.1).
  public var properties: [String] = []
  /// The place in the file, for messages: `list 'Groceries', item 3`.
  public var place: String
  // Most items do not repeat; see `Recurrence`.
  private var shared: SharedRule?

  /// An item.
  package init(
    itemID: Int64? = nil, uuid: UUID? = nil, text: String, notes: String = "", isChecked: Bool = false,
    due: ImportedDue? = nil, shouldRemind: Bool = false, place: String
  ) {
    self.itemID = itemID
    self.uuid = uuid
    self.text = text
    self.notes = notes
    self.isChecked = isChecked
    self.due = due
    self.shouldRemind = shouldRemind
    self.place = place
  }
}

/// An entry that cannot be imported, while the rest of its file can.
public struct ImportRefusal: Hashable, Sendable {
  /// The place in the file, for messages: `list 'Groceries', item 3`.
  public var place: String
  /// The reason, as a sentence about the entry: `its due date is before 1970`.
  public var reason: String

  /// A refusal.
  package init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }
}
