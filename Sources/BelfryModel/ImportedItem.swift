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

/// An imported item. The members of its content can be read as its own.
@dynamicMemberLookup public struct ImportedItem: Hashable, Sendable {
  /// The id in the other app, from 0, if it has one; a damaged file may repeat ids.
  public var itemID: Int64?
  /// The UUID in the file, if any.
  public var uuid: UUID?
  /// The number of items that it is below, in a file that shows this by indentation: its parent is the last item before
  /// it with a smaller depth. `nil` in all other formats.
  package var depth: Int?
  /// Its content: the text is the first non-blank line, not trimmed, without NUL; the notes are the following lines,
  /// joined by LF. It reminds if the other app would have.
  public var content: ItemContent
  /// True if it is checked.
  public var isChecked: Bool
  /// The due date as written in the file.
  public var due: ImportedDue?
  /// The recurrence rule, from the due date on.
  public var rule: RecurrenceRule? {
    get { shared?.rule }
    set { shared = newValue.map(SharedRule.init) }
  }
  /// The wall-clock anchor of the rule; `nil` for the due date.
  public var repeatStart: WallTime?
  /// Occurrences after the due date that do not take place, in the item's zone. Each splits the item in two.
  public var exceptions: [WallTime] = []
  /// All occurrences that do not take place, and those in addition to the rule, for stores that keep an item in one
  /// piece.
  package var excluded: Set<WallTime> = []
  package var added: Set<WallTime> = []
  /// The date from which the next occurrence counts.
  public var repeatOrigin = Recurrence.Origin.due
  /// The occurrence that was checked last.
  public var lastChecked: CheckedOccurrence?
  /// The end of its snooze, if it is snoozed.
  public var snoozedUntil: Date?
  /// The alarms that were acknowledged (RFC 9074, section 6).
  package var acknowledged = AcknowledgedAlarms()
  /// The time of creation; `nil` for the time of the import.
  public var createdAt: Date?
  /// The time of the last change; `nil` for the time of the import.
  public var updatedAt: Date?
  /// The time of the check.
  public var checkedAt: Date?
  /// The version (SEQUENCE of RFC 5545 section 3.8.7.4). Of several items with one UUID, the highest version wins, and
  /// among equal ones the last changed. `nil` in formats without versions, where the first item wins.
  public var sequence: Int?
  /// A sentence for each value of the entry that is not understood, which says what is kept: `its DATE 'soon' is not
  /// understood, and kept as X-TODOIST-DATE`.
  package var notUnderstood: [String] = []
  /// The place in the file, for messages: `list 'Groceries', item 3`.
  public var place: String
  // Most items do not repeat; see `Recurrence`.
  private var shared: SharedRule?

  package init(
    _ content: ItemContent, itemID: Int64? = nil, uuid: UUID? = nil, isChecked: Bool = false,
    due: ImportedDue? = nil, place: String
  ) {
    self.content = content
    self.itemID = itemID
    self.uuid = uuid
    self.isChecked = isChecked
    self.due = due
    self.place = place
  }

  /// A field of its content.
  public subscript<Value>(dynamicMember field: WritableKeyPath<ItemContent, Value>) -> Value {
    get { content[keyPath: field] }
    set { content[keyPath: field] = newValue }
  }
}

/// An entry that cannot be imported, while the rest of its file can.
public struct ImportRefusal: Hashable, Sendable {
  /// The place in the file, for messages: `list 'Groceries', item 3`.
  public var place: String
  /// The reason, as a sentence about the entry: `its due date is before 1970`.
  public var reason: String

  package init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }
}

/// The times until which the alarms of an item were acknowledged.
package struct AcknowledgedAlarms: Hashable, Sendable {
  /// The time of all alarms; `nil` if each has its own.
  package var all: Date?
  /// The times of alarms by their lead times.
  package var byLead: [CalendarDuration: Date] = [:]

  /// No acknowledgement.
  package init() {}

  /// Notes a time of one alarm; the latest counts.
  package mutating func note(_ instant: Date, of lead: CalendarDuration) {
    byLead[lead] = max(byLead[lead] ?? instant, instant)
  }

  /// The time until which the alarms with a lead time were acknowledged; `nil` if none was.
  package func end(of lead: CalendarDuration) -> Date? { [all, byLead[lead]].compactMap(\.self).max() }
}
