import BelfryModel
import CivilTime
import RecurrenceRules

/// A new item without an id, whose content reads as its own.
@dynamicMemberLookup public struct ItemDraft: Hashable, Sendable {
  /// Its content without its dates.
  public var content: ItemContent
  /// The due date as wall-clock time in `zone`.
  public var due: WallTime?
  /// The zone of `due`.
  public var zone: ItemZone
  /// The recurrence rule, from `due` on.
  public var rule: RecurrenceRule?
  /// The date from which the next occurrence counts.
  public var repeatOrigin: Recurrence.Origin

  /// A draft; without arguments other than the content, of an item without a date.
  package init(
    _ content: ItemContent, due: WallTime? = nil, zone: ItemZone = .floating, rule: RecurrenceRule? = nil,
    repeatOrigin: Recurrence.Origin = .due
  ) {
    self.content = content
    self.due = due
    self.zone = zone
    self.rule = rule
    self.repeatOrigin = repeatOrigin
  }

  /// A field of its content.
  public subscript<Value>(dynamicMember field: WritableKeyPath<ItemContent, Value>) -> Value {
    get { content[keyPath: field] }
    set { content[keyPath: field] = newValue }
  }
}

extension ItemDraft {
  /// A draft with the fields that an edit names; it reminds if it has a due date, unless the edit says otherwise.
  package init(text: String, _ fields: ItemEdit) {
    let due: WallTime? = if case .at(let time) = fields.due { time } else { nil }
    let content = ItemContent(
      text: text, notes: fields.notes, shouldRemind: fields.shouldRemind ?? (due != nil), alerts: fields.alerts ?? [],
      nag: fields.nag?.value, category: fields.category.flatMap { $0.isEmpty ? nil : $0 }, key: nil, properties: [])
    self.init(
      content, due: due, zone: fields.zone ?? .floating, rule: fields.rule?.value,
      repeatOrigin: fields.repeatOrigin ?? .due)
  }

  /// A draft of a line that says no more than a text and a time; it reminds if it has one.
  package init(line text: String, notes: String? = nil, due: WallTime?) {
    var content = ItemContent.bare(text, alerts: [])
    (content.notes, content.shouldRemind) = (notes, due != nil)
    self.init(content, due: due)
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
