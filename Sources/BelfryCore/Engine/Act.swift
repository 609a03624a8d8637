import Foundation

/// Who carries out an action of a reminder.
public enum Actor: Hashable, Sendable {
  /// Somebody whose own permissions let them change the store.
  case owner
  /// Anybody else.
  case stranger
}

/// What an action of a reminder did.
public struct ActResult: Hashable, Sendable {
  /// The action.
  public let action: CategoryAction
  /// What was done, as part of a sentence; `nil` where there was nothing left to do.
  public let done: String?
  /// What the user is to edit, for an action that opens it.
  public let toEdit: ReminderOwner?
}

extension Belfry {
  /// The action of a reminder's category under this name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a reminder or action that is not there, `.badInput` for a reminder that
  ///   was cancelled.
  public func action(_ identifier: String, of reminder: UUID) throws -> CategoryAction {
    try read { reading in
      try settings.action(identifier, of: Self.actionable(reminder, in: reading.view), in: reading.view)
    }
  }

  /// Carries out an action of a reminder's category. Done once more, for the same reminder, it changes nothing.
  ///
  /// - Throws: as ``action(_:of:)``, and `.noPermission` for an action that wants to know who asks.
  public func act(_ identifier: String, on reminder: UUID, by actor: Actor) throws -> ActResult {
    try change(as: "act") { change in
      let reminder = try Self.actionable(reminder, in: change.transaction)
      let action = try settings.action(identifier, of: reminder, in: change.transaction)
      guard !action.requiresAuthentication || actor == .owner else {
        throw BelfryError(
          .noPermission, "'\(identifier)' is for whom the store belongs to", hint: "run the command as its owner")
      }
      return try change.carryOut(action, of: reminder)
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

extension Settings {
  /// The category is the one that the item or list has now; of one that has gone, what its name is no longer says.
  fileprivate func action(_ identifier: String, of reminder: Reminder, in view: any StoreView) throws -> CategoryAction
  {
    let name: String? =
      switch reminder.occurrence.owner {
      case .item(let id): try view.item(id: id)?.item.category
      case .list(let id): try view.list(id: id)?.reminder?.category
      }
    let isGone =
      switch reminder.occurrence.owner {
      case .item(let id): try view.item(id: id) == nil
      case .list(let id): try view.list(id: id) == nil
      }
    let offered = isGone ? categories.flatMap(\.actions) : name.flatMap(category)?.actions ?? []
    if let action = offered.first(where: { $0.identifier == identifier }) { return action }
    let known = offered.map(\.identifier)
    let hint =
      known.isEmpty
      ? "its item has no category with actions; 'belfry edit ID --category NAME' gives it one"
      : Suggestion.nearest(to: identifier, among: known).map { "did you mean '\($0)'?" }
        ?? "it offers \(known.joined(separator: ", "))"
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

  // What was checked since, or has moved on to a later occurrence, was done already.
  private func check(_ reminder: Reminder) throws -> String? {
    let ids = try items(of: reminder).filter { item in
      guard !item.isChecked else { return false }
      guard case .item = reminder.occurrence.owner, let due = item.due else { return true }
      return due.local <= reminder.occurrence.wallTime
    }
    guard !ids.isEmpty else { return nil }
    _ = try setChecked(true, ids.map(\.id))
    return ids.count == 1 ? "checked item \(ids[0].id)" : "checked \(ids.count) items"
  }

  // A snooze of the same occurrence that rings after this reminder is this one's.
  private func snooze(_ reminder: Reminder, for duration: CalendarDuration) throws -> String? {
    guard case .item(let id) = reminder.occurrence.owner else {
      throw BelfryError(.badInput, "a list's own reminder cannot be snoozed", hint: "'belfry list remind' moves it")
    }
    guard let item = try transaction.item(id: id)?.item, !item.isChecked else { return nil }
    let known = try transaction.reminders(of: .item(id), at: reminder.occurrence.wallTime, state: nil)
    let isSnoozed = known.contains { other in
      other.occurrence.kind.isSnooze && other.fireDate > reminder.fireDate && other.state != .cancelled
    }
    guard !isSnoozed else { return nil }
    let change = try snooze(id, until: .after(duration))
    guard let next = change.schedule.scheduled.first else { return "snoozed item \(id)" }
    return "snoozed item \(id) until \((try planner.zone(item.zone)).readable(next.date))"
  }

  private func delete(_ reminder: Reminder) throws -> String? {
    guard case .item(let id) = reminder.occurrence.owner else {
      throw BelfryError(.badInput, "this is a list's own reminder: there is no item to delete")
    }
    guard try transaction.item(id: id) != nil else { return nil }
    _ = try delete([id])
    return "deleted item \(id)"
  }

  // What came onto the list after the reminder rang is nobody's to throw away with it.
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

  private func list(of reminder: Reminder) throws -> Checklist? {
    switch reminder.occurrence.owner {
    case .item(let id): try transaction.item(id: id).flatMap { try transaction.list(id: $0.item.listID) }
    case .list(let id): try transaction.list(id: id)
    }
  }

  // The item, or what is on the list.
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
