import BelfryModel
import FoundationEssentials

extension Planner {
  /// The reason why the reminders of an item cannot be planned, regardless of its history; `nil` if they can.
  func fault(of item: Item, now: Date) -> PlanningFault? {
    do {
      _ = try reminders(for: item, known: [], now: now)
      return nil
    } catch {
      return error as? PlanningFault
    }
  }
}

extension Reading {
  /// The most items to plan. Repeating items are planned anyway, and others hardly ever fail.
  private static var soonestLimit: Int { 10_000 }

  /// The repeating items, the soonest other items and the lists whose reminders cannot be planned, and all unreadable
  /// records met on the way.
  package func setAside() throws -> [SetAside] {
    let log = SetAsideLog()
    try view.readingPastFaults(log.leaveOut) {
      for query in [ItemQuery(kind: .any, isRepeating: true), ItemQuery(kind: .any, limit: Self.soonestLimit)] {
        try view.forEachItem(query) { try plan($0.item, log) }
      }
      for list in try view.lists() { try plan(list, log) }
      _ = try view.dueReminders(at: .distantFuture, limit: Self.soonestLimit)
    }
    return log.found.uniqued()
  }

  /// The reason why the reminders of an item or list are set aside; `nil` if they are not.
  func setAside(_ subject: ExplainedSubject) throws -> SetAside? {
    let log = SetAsideLog()
    switch subject {
    case .item(let listing): try plan(listing.item, log)
    case .list(let summary): try plan(summary.list, log)
    }
    return log.found.first
  }

  private func plan(_ list: Checklist, _ log: SetAsideLog) throws {
    let unchecked = try view.uncheckedCount(listID: list.id, dueBefore: nil)
    _ = try log.attempt(.list(list.id)) {
      try planner.reminders(for: list, unchecked: unchecked, known: [], now: now, isOver: view.isOver)
    }
  }

  private func plan(_ item: Item, _ log: SetAsideLog) throws {
    _ = try log.attempt(.item(item.id)) {
      try planner.reminders(for: item, known: [], now: now, isOver: view.isOver)
    }
  }
}
