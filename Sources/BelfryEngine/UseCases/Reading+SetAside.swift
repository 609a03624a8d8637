import BelfryModel
import FoundationEssentials

extension Planner {
  /// Why the reminders of an item cannot be planned, whatever has rung of them; `nil` where they can.
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
  /// How many items that do not repeat are looked at: of those hardly anything can go wrong.
  private static var soonestLimit: Int { 10_000 }

  /// Every repeating item, the soonest others and every list whose reminders cannot be planned, and every record of an
  /// item or reminder among them that cannot be read.
  public func setAside() throws -> [SetAside] {
    let log = SetAsideLog()
    try view.readingPastFaults(log.leaveOut) {
      for query in [ItemQuery(isRepeating: true), ItemQuery(limit: Self.soonestLimit)] {
        try view.visitItems(query) { try plan($0.item, log) }
      }
      for list in try view.lists() {
        let unchecked = try view.uncheckedCount(listID: list.id, dueBefore: nil)
        _ = try log.attempt(.list(list.id)) {
          try planner.reminders(for: list, unchecked: unchecked, known: [], now: now, isOver: view.isOver)
        }
      }
      _ = try view.dueReminders(at: .distantFuture, limit: Self.soonestLimit)
    }
    return log.found.uniqued()
  }

  /// Why an item is set aside; `nil` where it is not.
  func setAside(_ item: Item) throws -> SetAside? {
    let log = SetAsideLog()
    try plan(item, log)
    return log.found.first
  }

  private func plan(_ item: Item, _ log: SetAsideLog) throws {
    _ = try log.attempt(.item(item.id)) {
      try planner.reminders(for: item, known: [], now: now, isOver: view.isOver)
    }
  }
}
