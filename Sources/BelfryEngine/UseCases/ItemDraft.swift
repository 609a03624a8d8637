import BelfryModel
import CivilTime
import RecurrenceRules

/// A new item without an id, whose content reads as its own.
@dynamicMemberLookup public struct ItemDraft: Hashable, Sendable {
  /// Its content without its dates.
  public var content: ItemContent
  /// The due date as wall-clock time in `zone`.
  public var due: WallTime?
  /// The zone in which `due` is meant.
  public var zone: ItemZone
  /// The recurrence rule, from `due` on.
  public var rule: RecurrenceRule?
  /// The date from which the next occurrence counts.
  public var repeatOrigin: Recurrence.Origin

  /// Creates a draft; with only the content, it has no date.
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
    var content = fields.content(of: .blank)
    (content.text, content.shouldRemind) = (text, fields.shouldRemind ?? (due != nil))
    self.init(
      content, due: due, zone: fields.zone ?? .floating, rule: fields.rule?.value,
      repeatOrigin: fields.repeatOrigin ?? .due)
  }

  /// A draft of a line that says only a text and a time; it reminds if it has a time.
  package init(line text: String, notes: String? = nil, due: WallTime?) {
    self.init(
      ItemContent(
        text: text, notes: notes, shouldRemind: due != nil, alerts: [], nag: nil, category: nil, key: nil, tags: .empty,
        priority: nil, properties: []),
      due: due)
  }
}

/// The result of a change of an item.
public struct ItemChange: Hashable, Sendable {
  /// The item after the change, or before its deletion.
  public var listing: ItemListing
  /// The changes of its reminders.
  public var schedule: Reconciliation
}
