import Foundation

extension Belfry {
  /// Plans what somebody has edited in the store's own file, if anybody has; the daemon asks each minute.
  ///
  /// - Returns: how many items and lists ring at other times now, or `nil` where nothing was edited.
  public func planEdits() throws -> Int? {
    guard try store.read({ try $0.isEditedElsewhere() }) else { return nil }
    return try store.write { transaction in
      try Change(transaction: transaction, planner: planner(transaction), now: time.now).planEdits()
    }
  }
}

extension Change {
  /// Makes due dates and reminders what the wall-clock times and marks ask for, where a hand has changed those.
  ///
  /// - Returns: how many items and lists ring at other times now.
  @discardableResult
  func planEdits() throws -> Int {
    guard try transaction.isEditedElsewhere() else { return 0 }
    var items: [Item] = []
    try transaction.visitItems(ItemQuery(checked: .any)) { items.append($0.item) }
    var count = 0
    for var item in items {
      if item.isChecked {
        try discardDeliveries(of: .item(item.id))
      } else if item.checkedAt != nil {
        item.checkedAt = nil
        try transaction.update(item)
      }
      let zone = (try? planner.zone(item.zone)) ?? planner.floatingZone
      if let local = item.due?.local, let due = try? planner.resolve(local, in: zone), due != item.due {
        item.due = due
        try transaction.update(item)
      }
      if try reschedule(item).changesAnything { count += 1 }
    }
    for var list in try transaction.lists() {
      if var reminder = list.reminder, let zone = try? planner.zone(reminder.zone),
        let due = try? planner.resolve(reminder.due.local, in: zone), due != reminder.due
      {
        reminder.due = due
        list.reminder = reminder
        try transaction.update(list)
      }
      if try reschedule(list).changesAnything { count += 1 }
    }
    count += try silenceRemoved()
    try transaction.acknowledgeEdits()
    return count
  }

  // What a hand has taken out is told of no more, as if it had been deleted.
  private func silenceRemoved() throws -> Int {
    let owners = try transaction.dueReminders(at: .distantFuture, limit: .max).map(\.occurrence.owner)
    let removed = try Set(owners).filter { owner in
      switch owner {
      case .item(let id): try transaction.item(id: id) == nil
      case .list(let id): try transaction.list(id: id) == nil
      }
    }
    for owner in removed {
      _ = try cancelReminders(of: owner)
      try discardDeliveries(of: owner)
    }
    return removed.count
  }
}

extension Reconciliation {
  fileprivate var changesAnything: Bool { !puts.isEmpty }
}
