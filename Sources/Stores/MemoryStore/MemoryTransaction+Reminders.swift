import BelfryCore
import Foundation

extension MemoryTransaction {
  func reminders(of owner: ReminderOwner, at wallTime: WallTime?, state wanted: Reminder.State?) -> [Reminder] {
    state.reminders.values.filter { reminder in
      reminder.occurrence.owner == owner && (wallTime == nil || reminder.occurrence.wallTime == wallTime)
        && (wanted == nil || reminder.state == wanted)
    }
  }

  func reminder(id: UUID) -> Reminder? { state.reminders[id] }

  func visitPending(limit: Int?, _ body: (PendingReminder) throws -> Void) throws {
    for reminder in scheduled().prefix(limit ?? .max) {
      switch reminder.occurrence.owner {
      case .item(let id):
        guard let item = state.items[id], let list = state.lists[item.listID] else { continue }
        try body(
          PendingReminder(
            reminder: reminder, listName: list.name, category: item.category, text: item.text, zone: item.zone))
      case .list(let id):
        guard let list = state.lists[id] else { continue }
        try body(
          PendingReminder(
            reminder: reminder, listName: list.name, category: list.reminder?.category,
            text: list.reminder?.message ?? list.name, zone: list.reminder?.zone ?? .floating))
      }
    }
  }

  func dueReminders(at now: Date, limit: Int) -> [Reminder] {
    Array(scheduled().prefix { $0.fireDate.date <= now }.prefix(limit))
  }

  func hasScheduled(_ owner: ReminderOwner, after earliest: FireDate, through latest: Date) -> Bool {
    reminders(of: owner, at: nil, state: .scheduled).contains {
      $0.fireDate > earliest && $0.fireDate.date <= latest
    }
  }

  func put(_ reminder: Reminder) { state.reminders[reminder.id] = reminder }

  private func scheduled() -> [Reminder] {
    state.reminders.values.filter { $0.state == .scheduled }
      .sorted { ($0.fireDate, $0.id.uuidString) < ($1.fireDate, $1.id.uuidString) }
  }
}
