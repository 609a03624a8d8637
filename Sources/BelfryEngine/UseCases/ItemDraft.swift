import BelfryModel
import CivilTime
import RecurrenceRules

/// A new item without an id.
public struct ItemDraft: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The notes.
  public var notes: String?
  /// The due date as wall-clock time in `zone`.
  public var due: WallTime?
  /// The zone of `due`.
  public var zone: ItemZone
  /// True if it reminds when due.
  public var shouldRemind: Bool
  /// The lead times of its reminders before `due`; empty for one at `due` itself.
  public var alerts: [CalendarDuration]
  /// The recurrence rule, from `due` on.
  public var rule: RecurrenceRule?
  /// The date from which the next occurrence counts.
  public var repeatOrigin: Recurrence.Origin
  /// The interval of nagging until the item is checked; `nil` for none.
  public var nag: CalendarDuration?
  /// The category, which provides the actions of its reminders.
  public var category: String?
  /// The identity that a program gives it; see ``Item/key``.
  public var key: String?
  /// Properties of other programs; see ``Item/properties``.
  public var properties: [String] = []

  /// A draft; without arguments other than the text, of an item without a date.
  package init(
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

extension ItemDraft {
  /// A draft with the fields that an edit names; it reminds if it has a due date, unless the edit says otherwise.
  package init(text: String, _ fields: ItemEdit) {
    let due: WallTime? = if case .at(let time) = fields.due { time } else { nil }
    self.init(
      text: text, notes: fields.notes, due: due, zone: fields.zone ?? .floating,
      shouldRemind: fields.shouldRemind ?? (due != nil), alerts: fields.alerts ?? [], rule: fields.rule?.value,
      repeatOrigin: fields.repeatOrigin ?? .due, nag: fields.nag?.value,
      category: fields.category.flatMap { $0.isEmpty ? nil : $0 })
  }
}

/// An edit of an optional field.
public enum FieldEdit<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Sets the field to a value.
  case set(Value)
  /// Removes the value.
  case clear

  /// The new value.
  var value: Value? {
    switch self {
    case .set(let value): value
    case .clear: nil
    }
  }
}

/// An edit of an item; `nil` leaves a field unchanged.
public struct ItemEdit: Hashable, Sendable {
  /// A new text.
  public var text: String?
  /// New notes; an empty text removes them.
  public var notes: String?
  /// A new due date, or none.
  public var due: When?
  /// A new zone; the wall-clock time stays.
  public var zone: ItemZone?
  /// True if the item reminds.
  public var shouldRemind: Bool?
  /// New lead times.
  public var alerts: [CalendarDuration]?
  /// A new rule, which counts from the due date, or none.
  public var rule: FieldEdit<RecurrenceRule>?
  /// The date from which the next occurrence counts.
  public var repeatOrigin: Recurrence.Origin?
  /// A new interval of nagging, or none.
  public var nag: FieldEdit<CalendarDuration>?
  /// A new category; an empty name removes it.
  public var category: String?
  /// The list to which the item moves, at its end.
  public var list: ListChoice?

  /// An edit without changes.
  package init() {}
}

/// A list to which items are added.
public struct ListChoice: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// True if the list is to be created where it does not exist.
  public let createsMissing: Bool

  /// A list by name; a missing one is an error unless `createsMissing`.
  package init(_ name: String, createsMissing: Bool = false) {
    self.name = name
    self.createsMissing = createsMissing
  }
}

/// The result of a change of an item.
public struct ItemChange: Hashable, Sendable {
  /// The item after the change, or before its deletion.
  public var listing: ItemListing
  /// The changes of its reminders.
  public var schedule: Reconciliation
}
