import BelfryModel
import CivilTime
import RecurrenceRules

/// A new item before it has a number.
public struct ItemDraft: Hashable, Sendable {
  /// What is to be done.
  public var text: String
  /// What else there is to say.
  public var notes: String?
  /// The wall-clock time at which it is due, in `zone`.
  public var due: WallTime?
  /// Whose clock `due` is read from.
  public var zone: ItemZone
  /// Whether it rings when due.
  public var shouldRemind: Bool
  /// How long before `due` it rings; empty means at `due` itself.
  public var alerts: [CalendarDuration]
  /// How it repeats, from `due` on.
  public var rule: RecurrenceRule?
  /// What the next occurrence counts from.
  public var repeatOrigin: Recurrence.Origin
  /// How often it rings again until it is checked.
  public var nag: CalendarDuration?
  /// The category whose actions its reminders offer.
  public var category: String?
  /// What other programs say of it; see ``Item/properties``.
  public var properties: [String] = []

  /// A draft; without arguments beyond the text, of an item without a date.
  public init(
    text: String, notes: String? = nil, due: WallTime? = nil, zone: ItemZone = .floating, shouldRemind: Bool = false,
    alerts: [CalendarDuration] = [], rule: RecurrenceRule? = nil, repeatOrigin: Recurrence.Origin = .due,
    nag: CalendarDuration? = nil, category: String? = nil
  ) {
    self.text = text
    self.notes = notes
    self.due = due
    self.zone = zone
    self.shouldRemind = shouldRemind
    self.alerts = alerts
    self.rule = rule
    self.repeatOrigin = repeatOrigin
    self.nag = nag
    self.category = category
  }
}

/// A field that can be set or taken away.
public enum FieldEdit<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The field gets this value.
  case set(Value)
  /// The field is taken away.
  case clear

  /// What the field holds now.
  var value: Value? {
    switch self {
    case .set(let value): value
    case .clear: nil
    }
  }
}

/// What to change of an item; `nil` leaves a field as it is.
public struct ItemEdit: Hashable, Sendable {
  /// A new text.
  public var text: String?
  /// New notes; an empty text takes them away.
  public var notes: String?
  /// A new due date, or none.
  public var due: When?
  /// A new zone; the wall-clock time stays.
  public var zone: ItemZone?
  /// Switches the reminder.
  public var shouldRemind: Bool?
  /// New lead times.
  public var alerts: [CalendarDuration]?
  /// A new rule, which counts from the due date, or none.
  public var rule: FieldEdit<RecurrenceRule>?
  /// What the next occurrence counts from.
  public var repeatOrigin: Recurrence.Origin?
  /// A new interval for ringing again, or none.
  public var nag: FieldEdit<CalendarDuration>?
  /// A new category; an empty name takes it away.
  public var category: String?
  /// The list to move to, at its end.
  public var list: ListChoice?

  /// An edit that changes nothing yet.
  public init() {}
}

/// A list to put something on.
public struct ListChoice: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Whether to make it where it does not exist.
  public let createsMissing: Bool

  /// A list by name; a missing one is an error unless `createsMissing`.
  public init(_ name: String, createsMissing: Bool = false) {
    self.name = name
    self.createsMissing = createsMissing
  }
}

/// What became of an item.
public struct ItemChange: Hashable, Sendable {
  /// The item as it is now, or as it was when it was deleted.
  public var listing: ItemListing
  /// What changed in its schedule.
  public var schedule: Reconciliation
}
