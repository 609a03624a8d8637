import CivilTime
import FoundationEssentials
import RecurrenceRules

/// When an item in a file from elsewhere is due.
public enum ImportedDue: Hashable, Sendable {
  /// An instant, fractions of seconds included, 1970 to 9999: the clock on the wall here then is what was meant.
  case instant(Date)
  /// A time on the clock of a zone, or on the clock wherever the machine is.
  case local(WallTime, ItemZone)
}

/// An item in a file from elsewhere.
public struct ImportedItem: Hashable, Sendable {
  /// The number that the app gave it, from 0, if any; the same number may come twice in a damaged file.
  public var itemID: Int64?
  /// The identity that the file gives it, if any.
  public var uuid: UUID?
  /// The first line of the text that is not blank, not trimmed, without NUL.
  public var text: String
  /// The lines of the text behind that, joined by LF; empty when there are none.
  public var notes: String
  /// Whether it is done.
  public var isChecked: Bool
  /// When it is due.
  public var due: ImportedDue?
  /// Whether the app was to remind of it.
  public var shouldRemind: Bool
  /// How long before it is due it rings; empty means when it is due.
  public var alerts: [CalendarDuration] = []
  /// How it repeats, from when it is due on.
  public var rule: RecurrenceRule? {
    get { shared?.rule }
    set { shared = newValue.map(SharedRule.init) }
  }
  /// The wall-clock anchor that the rule counts from; `nil` for the due date.
  public var repeatStart: WallTime?
  /// Occurrences behind the due date that do not take place, on the clock of the item. Each divides the item.
  public var exceptions: [WallTime] = []
  /// What the next occurrence counts from.
  public var repeatOrigin = Recurrence.Origin.due
  /// The occurrence that was checked last elsewhere.
  public var lastChecked: CheckedOccurrence?
  /// How often it rings again until it is checked.
  public var nag: CalendarDuration?
  /// The category whose actions its reminders offer.
  public var category: String?
  /// When it was put off to, if it was.
  public var snoozedUntil: Date?
  /// When it was made, changed and checked elsewhere; `nil` for the moment of the import.
  public var createdAt: Date?
  /// When it last changed.
  public var updatedAt: Date?
  /// When it was checked.
  public var checkedAt: Date?
  /// The number of the version, of which a file may hold several with one identity: the highest counts, and of equal ones
  /// the one that changed last. `nil` in formats that know no versions: there the first one counts.
  public var sequence: Int?
  /// What the file says of it that an item has no field for, as unfolded content lines (RFC 5545, section 3.1).
  public var properties: [String] = []
  /// Where it stands, for people: `list 'Groceries', item 3`.
  public var place: String
  // Most items do not repeat: see `Recurrence`.
  private var shared: SharedRule?

  /// An item.
  public init(
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

/// An entry that cannot be taken, while the rest of its file can.
public struct ImportRefusal: Hashable, Sendable {
  /// Where it stands, for people: `list 'Groceries', item 3`.
  public var place: String
  /// Why, as a sentence about it: `its due date is before 1970`.
  public var reason: String

  /// A refusal.
  public init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }
}
