import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials

/// The person or program that carries out an action of a reminder.
public enum Actor: Hashable, Sendable {
  /// A caller whose own permissions allow changes of the store.
  case owner
  /// Any other caller.
  case stranger
}

/// The result of an action of a reminder.
public struct ActResult: Hashable, Sendable {
  /// The action.
  public let action: CategoryAction
  /// The change, as part of a sentence; `nil` if nothing was left to do.
  public let done: String?
  /// The item or list that the user is to edit, for an action that opens it.
  public let toEdit: ReminderOwner?
}

extension Belfry {
  /// The action with this identifier in a reminder's category.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for an unknown reminder or action, `.badInput` for a cancelled reminder.
  public func action(_ identifier: String, of reminder: UUID) throws -> CategoryAction {
    try read { reading in
      try settings.action(identifier, of: Self.actionable(reminder, in: reading.view), in: reading.view)
    }
  }

  /// Carries out an action of a reminder's category. Idempotent: a second time, for the same reminder, it changes
  /// nothing.
  ///
  /// - Throws: as ``action(_:of:)``, and `.noPermission` for an action that requires authentication.
  public func act(_ identifier: String, on reminder: UUID, by actor: Actor) throws -> ActResult {
    try change(as: "act") { change in
      let reminder = try Self.actionable(reminder, in: change.transaction)
      let action = try settings.action(identifier, of: reminder, in: change.transaction)
      guard !action.requiresAuthentication || actor == .owner else {
        throw BelfryError(
          .noPermission, "'\(identifier)' is only for the owner of the store", hint: "run the command as its owner")
      }
      guard try settings.offered(for: reminder, in: change.transaction).contains(action) else {
        return ActResult(action: action, done: nil, toEdit: nil)
      }
      return try change.carryOut(action, of: reminder)
    }
  }

  /// The data that an action would destroy, as a sentence; `nil` if there is none.
  ///
  /// - Throws: as ``action(_:of:)``.
  package func consequence(of action: CategoryAction, on reminder: UUID) throws -> String? {
    try read { reading in
      let reminder = try Self.actionable(reminder, in: reading.view)
      switch action.operation {
      case .none, .check, .snooze, .edit: return nil
      case .delete:
        guard case .item(let id) = reminder.occurrence.owner else { return nil }
        return try reading.view.item(id: id).map { "Deletes item \(id): \($0.item.text)." }
      case .clearList:
        return try reading.view.list(of: reminder).map { "Deletes what is on the list '\($0.name)'." }
      case .deleteList:
        return try reading.view.list(of: reminder).map { "Deletes the list '\($0.name)' with what is on it." }
      }
    }
  }

  private static func actionable(_ id: UUID, in view: any StoreView) throws -> Reminder {
    guard let reminder = try view.reminder(id: id) else {
      throw BelfryError(
        .notFound, "there is no reminder \(id.text)", hint: "'belfry pending --json' and messages name them")
    }
    guard reminder.state != .cancelled else {
      throw BelfryError(.badInput, "the reminder \(id.text) was cancelled: nothing was changed")
    }
    return reminder
  }
}

extension Item {
  /// Whether a check or a new date has moved the item past the reminder's occurrence.
  fileprivate func isBeyond(_ reminder: Reminder) -> Bool {
    due.map { $0.local > reminder.occurrence.wallTime } ?? false
  }
}

extension StoreView {
  /// The list of a reminder; for a deleted item, the list that its message names.
  fileprivate func list(of reminder: Reminder) throws -> Checklist? {
    switch reminder.occurrence.owner {
    case .item(let id):
      if let listing = try item(id: id) { return try list(id: listing.item.listID) }
      return try content(of: reminder).flatMap { try list(named: $0.listName) }
    case .list(let id): return try list(id: id)
    }
  }

  /// The name of an item's or list's category, empty for none; `nil` if the item or list was deleted.
  fileprivate func category(of owner: ReminderOwner) throws -> String? {
    switch owner {
    case .item(let id): try item(id: id).map { $0.item.category ?? "" }
    case .list(let id): try list(id: id).map { $0.reminder?.category ?? "" }
    }
  }

  /// The content that was sent for a reminder.
  fileprivate func content(of reminder: Reminder) throws -> ReminderContent? {
    try deliveries(of: reminder.occurrence.owner, state: nil).lazy.flatMap(\.1.contents)
      .first { $0.reminderID == reminder.id }
  }
}

extension Settings {
  /// The actions of the current category of the item or list, or of the category in its message if it was deleted.
  fileprivate func offered(for reminder: Reminder, in view: any StoreView) throws -> [CategoryAction] {
    let name: String?
    if let subject = try view.category(of: reminder.occurrence.owner) {
      name = subject
    } else {
      name = try view.content(of: reminder)?.category
    }
    return name.flatMap(category)?.actions ?? []
  }

  /// The action with an identifier. After a deletion actions of all categories are known, so that the action that
  /// deleted the item can be repeated.
  fileprivate func action(_ identifier: String, of reminder: Reminder, in view: any StoreView) throws -> CategoryAction
  {
    let offered = try offered(for: reminder, in: view)
    let isGone = try view.category(of: reminder.occurrence.owner) == nil
    let known = isGone ? offered + categories.flatMap(\.actions) : offered
    if let action = known.first(where: { $0.identifier == identifier }) { return action }
    let names = offered.map(\.identifier)
    let hint =
      names.isEmpty
      ? "its item has no category with actions; 'belfry edit ID --category NAME' gives it one"
      : Suggestion.nearest(to: identifier, among: names).map { "did you mean '\($0)'?" }
        ?? "it offers \(names.joined(separator: ", "))"
    throw BelfryError(.notFound, "the reminder offers no action '\(identifier)'", hint: hint)
  }
}

extension Change {
  fileprivate func carryOut(_ action: CategoryAction, of reminder: Reminder) throws -> ActResult {
    var toEdit: ReminderOwner?
    let done: String?
    switch action.operation {
    case .none: done = "acknowledged"
    case .check: done = try check(reminder)
    case .snooze(let duration): done = try snooze(reminder, for: duration)
    case .edit:
      toEdit = reminder.occurrence.owner
      done = nil
    case .delete: done = try delete(reminder)
    case .clearList: done = try clearList(of: reminder)
    case .deleteList: done = try deleteList(of: reminder)
    }
    return ActResult(action: action, done: done, toEdit: toEdit)
  }

  // Items that were checked since, or have moved on to a later occurrence, need no check.
  private func check(_ reminder: Reminder) throws -> String? {
    let ids = try items(of: reminder).filter { item in
      guard !item.isChecked else { return false }
      guard case .item = reminder.occurrence.owner else { return true }
      return !item.isBeyond(reminder)
    }
    guard !ids.isEmpty else { return nil }
    _ = try setChecked(true, ids.map(\.id))
    return ids.count == 1 ? "checked item \(ids[0].id)" : "checked \(ids.count) items"
  }

  private func snooze(_ reminder: Reminder, for duration: CalendarDuration) throws -> String? {
    guard try !isSnoozed(reminder) else { return nil }
    switch reminder.occurrence.owner {
    case .item(let id):
      guard let item = try transaction.item(id: id)?.item, !item.isChecked, !item.isBeyond(reminder) else { return nil }
      let change = try snooze(id, until: .after(duration))
      guard let next = change.schedule.scheduled.first else { return "snoozed item \(id)" }
      return "snoozed item \(id) until \((try planner.zone(item.zone)).readable(next.date))"
    case .list(let id):
      guard let list = try transaction.list(id: id), let own = list.reminder,
        try transaction.uncheckedCount(listID: id, dueBefore: nil) > 0
      else { return nil }
      let next = try snooze(list, until: .after(duration)).fireDate
      return "snoozed the list '\(list.name)' until \((try planner.zone(own.zone)).readable(next.date))"
    }
  }

  // A snooze of the same occurrence that fires after this reminder was made from it.
  private func isSnoozed(_ reminder: Reminder) throws -> Bool {
    let occurrence = reminder.occurrence
    return try transaction.reminders(of: occurrence.owner, at: occurrence.wallTime, state: nil).contains { other in
      other.occurrence.kind.isSnooze && other.fireDate > reminder.fireDate && other.state != .cancelled
    }
  }

  private func delete(_ reminder: Reminder) throws -> String? {
    guard case .item(let id) = reminder.occurrence.owner else {
      throw BelfryError(.badInput, "this is a list's own reminder: there is no item to delete")
    }
    guard try transaction.item(id: id) != nil else { return nil }
    _ = try delete([id])
    return "deleted item \(id)"
  }

  // Deletes only items that are older than the reminder: the user has not been reminded of newer ones.
  private func clearList(of reminder: Reminder) throws -> String? {
    guard let list = try list(of: reminder) else { return nil }
    let count = try deleteItems(
      of: list, madeBy: reminder.state == .scheduled ? .distantFuture : reminder.changedAt)
    guard count > 0 else { return nil }
    try itemsChanged(on: [list.id])
    return "deleted \(count) item(s) of the list '\(list.name)'"
  }

  private func deleteList(of reminder: Reminder) throws -> String? {
    guard let list = try list(of: reminder) else { return nil }
    try delete(list)
    return "deleted the list '\(list.name)'"
  }

  private func list(of reminder: Reminder) throws -> Checklist? { try transaction.list(of: reminder) }

  // The item, or the unchecked items of the list.
  private func items(of reminder: Reminder) throws -> [Item] {
    switch reminder.occurrence.owner {
    case .item(let id): return try transaction.item(id: id).map { [$0.item] } ?? []
    case .list(let id):
      var items: [Item] = []
      try transaction.visitItems(ItemQuery(listID: id)) { items.append($0.item) }
      return items
    }
  }
}
