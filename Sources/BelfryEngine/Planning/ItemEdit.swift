import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules

/// An edit of an optional field.
public enum FieldEdit<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Sets the field to a value.
  case set(Value)
  case clear

  var value: Value? {
    switch self {
    case .set(let value): value
    case .clear: nil
    }
  }
}

/// An edit of an item; `nil` leaves a field unchanged.
public struct ItemEdit: Hashable, Sendable {
  /// A new text, at least a word.
  public var text: String?
  /// New notes; an empty text removes them.
  public var notes: String?
  /// A new due date, or none.
  public var due: When?
  /// A new zone; the wall-clock time stays.
  public var zone: ItemZone?
  /// True if the item reminds.
  public var shouldRemind: Bool?
  /// The lead times that replace the item's own; empty for none.
  public var alerts: [CalendarDuration]?
  /// A new rule, which counts from the due date, or none.
  public var rule: FieldEdit<RecurrenceRule>?
  /// The date from which the next occurrence counts.
  public var repeatOrigin: Recurrence.Origin?
  /// A new interval of nagging, or none.
  public var nag: FieldEdit<CalendarDuration>?
  /// A new category; an empty name removes it.
  public var category: String?
  /// New tags, in place of the old ones.
  public var tags: ItemTags?
  /// A new level of priority, or none.
  public var priority: FieldEdit<ItemPriority.Level>?
  /// The list to which the item moves, at its end.
  public var list: ListChoice?

  package init() {}

  /// The content after the edit. It names every field, so that an edit that forgets a field does not compile.
  func content(of old: ItemContent) -> ItemContent {
    ItemContent(
      text: text ?? old.text, notes: notes.map { $0.isEmpty ? nil : $0 } ?? old.notes,
      shouldRemind: shouldRemind ?? old.shouldRemind, alerts: alerts?.normalizedAlerts ?? old.alerts,
      nag: nag.map(\.value) ?? old.nag, category: category.map { $0.isEmpty ? nil : $0 } ?? old.category, key: old.key,
      tags: tags ?? old.tags, priority: priority(of: old), properties: old.properties)
  }

  // The number that a file gave stays if the edit sets the same level.
  private func priority(of old: ItemContent) -> ItemPriority? {
    switch priority {
    case nil: old.priority
    case .clear?: nil
    case .set(let level)?: old.priority?.level == level ? old.priority : ItemPriority(level)
    }
  }
}

/// A list to which items are added.
public enum ListChoice: Hashable, Sendable {
  /// The list with a number, whatever its name is by then.
  case id(Int64)
  /// The list with a name; a missing one is created, or an error.
  case named(String, createsMissing: Bool)

  /// A list by name; a missing one is an error unless `createsMissing`.
  package init(_ name: String, createsMissing: Bool = false) { self = .named(name, createsMissing: createsMissing) }
}

extension Planner {
  /// An item after an edit, on its old list.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an invalid text or date, `.usage` for a rule without a due date or
  ///   occurrence.
  package func applying(_ edit: ItemEdit, to old: Item) throws -> Item {
    var (edit, item) = (edit, old)
    edit.text = try edit.text.map { try TextRules.line($0, what: "the text") }
    edit.notes = try edit.notes.map { try TextRules.lines($0, what: "the notes") ?? "" }
    item.content = edit.content(of: old.content)
    if let zone = edit.zone { item.zone = zone }
    var local = item.due?.local
    if let due = edit.due {
      switch due {
      case .none: local = nil
      case .at(let time): local = time
      }
    }
    // Resolve the due date only if the edit concerns it, since the system may no longer know the item's zone.
    if local != old.due?.local || item.zone != old.zone {
      item.due = try local.map { try due(at: $0, in: item.zone) }
    }
    try applyRepeat(edit, to: &item, isRedated: old.due?.local != local)
    return item
  }

  /// The due date of a wall-clock time on the clock of an item.
  ///
  /// - Throws: ``BelfryError`` `.badInput` about the time zone or the due date.
  func due(at local: WallTime, in zone: ItemZone) throws -> DueDate {
    let clock = try BelfryError.about(.timeZone) { try self.zone(zone) }
    return try BelfryError.about(.due) { try resolve(local, in: clock) }
  }

  // A new date or rule starts a new anchor; a new date without a rule keeps the old rule.
  private func applyRepeat(_ edit: ItemEdit, to item: inout Item, isRedated: Bool) throws {
    guard let rule = edit.rule.map(\.value) ?? item.recurrence?.rule else {
      item.recurrence = nil
      item.lastChecked = nil
      return
    }
    let origin = edit.repeatOrigin ?? item.recurrence?.origin ?? .due
    guard isRedated || edit.rule != nil || item.recurrence == nil else {
      item.recurrence = item.recurrence.map { Recurrence(rule: $0.rule, start: $0.start, origin: origin) }
      return
    }
    guard item.due != nil else {
      throw BelfryError(
        .usage, "\(item.quoted) repeats and needs a due date", hint: "add --repeat none to end the repeat as well"
      ).about(.due)
    }
    item.recurrence = try Recurrence(rule, from: item.due, origin: origin)
    item.lastChecked = nil
  }
}

extension Recurrence {
  /// The recurrence of a rule that starts at a due date.
  ///
  /// - Throws: ``BelfryError`` `.usage` without a due date, or for a rule that has no occurrence.
  package init(_ rule: RecurrenceRule, from due: DueDate?, origin: Origin) throws {
    guard let due else {
      throw BelfryError(.usage, "a repeating item needs a due date", hint: "add --due WHEN, the first occurrence")
        .about(.due)
    }
    let set = RecurrenceSet(start: due.local.civil, rule: rule)
    guard !set.isTooFarToCount else {
      throw BelfryError(
        .usage, "'\(rule)' has a COUNT that is too large", hint: "leave it out, or use UNTIL"
      ).about(.repeat)
    }
    guard set.next(atOrAfter: due.local.civil) != nil else {
      throw BelfryError(
        .usage, "'\(rule)' has no occurrence from \(due.local) on: \(set.exhaustion)", hint: "change the rule or --due"
      ).about(.repeat)
    }
    self.init(rule: rule, start: due.local, origin: origin)
  }
}

extension Planner {
  /// The next fire dates of an item, without nags and snoozes.
  ///
  /// - Throws: ``BelfryError`` `.badInput` if it cannot be planned.
  package func rings(of item: Item, after now: Date, limit: Int) throws -> [FireDate] {
    guard let plan = plan(of: item) else { return [] }
    do {
      let start = now.addingTimeInterval(0.001)
      return try Set(
        plan.firstRingings(from: start).flatMap { lead, first in
          sequence(first: first) { plan.series.next(after: $0) }.lazy
            .compactMap { plan.series.fireDate($0, lead: lead) }.filter { $0.date >= start }.prefix(limit)
        }
      ).sorted().prefix(limit).map(\.self)
    } catch let fault as PlanningFault {
      throw BelfryError(fault)
    }
  }
}
