import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

extension StateTransaction {
  package func reminders(of owner: ReminderOwner, at wallTime: WallTime?, state wanted: Reminder.State?) throws
    -> [Reminder]
  {
    return reminderIDs(of: owner).compactMap { state.reminders[$0] }.filter { reminder in
      (wallTime == nil || reminder.occurrence.wallTime == wallTime) && (wanted == nil || reminder.state == wanted)
    }
  }

  package func reminder(id: UUID) throws -> Reminder? {
    return state.reminders[id]
  }

  package func hasEndedReminder(after instant: Date) throws -> Bool {
    state.reminders.values.contains { $0.state != .scheduled && $0.changedAt > instant }
  }

  package func missedReminders(since instant: Date) throws -> [Reminder] {
    Self.soonestFirst(state.reminders.values.filter { $0.state == .missed && $0.changedAt >= instant })
  }

  package func visitPending(limit: Int?, _ body: (PendingReminder) throws -> VisitResult) throws {
    var left = limit ?? .max
    for reminder in Self.soonestFirst(state.reminders.values.filter { $0.state == .scheduled }) {
      guard left > 0 else { return }
      guard let pending = pending(reminder) else { continue }
      left -= 1
      if try body(pending) == .stop { return }
    }
  }

  private func pending(_ reminder: Reminder) -> PendingReminder? {
    switch reminder.occurrence.owner {
    case .item(let id):
      guard let item = state.items[id], let list = state.lists[item.listID] else { return nil }
      return PendingReminder(
        reminder: reminder, listName: list.name, category: item.category, text: item.text, zone: item.zone)
    case .list(let id):
      guard let list = state.lists[id] else { return nil }
      return PendingReminder(
        reminder: reminder, listName: list.name, category: list.reminder?.category,
        text: list.reminder?.message ?? list.name, zone: list.reminder?.zone ?? .floating)
    }
  }

  package func snoozes() throws -> [Reminder] {
    state.reminders.values.filter { $0.state == .scheduled && $0.occurrence.kind.isSnooze }
  }

  package func dueReminders(at now: Date, limit: Int) throws -> [Reminder] {
    let due = state.reminders.values.filter { $0.state == .scheduled && $0.fireDate.date <= now }
    return Array(Self.soonestFirst(due).prefix(limit))
  }

  package func hasScheduled(_ owner: ReminderOwner, after earliest: FireDate, through latest: Date) throws -> Bool {
    try reminders(of: owner, at: nil, state: .scheduled).contains {
      $0.fireDate > earliest && $0.fireDate.date <= latest && !$0.occurrence.kind.isEscalation
    }
  }

  package func put(_ reminder: Reminder) throws {
    let old = state.reminders.updateValue(reminder, forKey: reminder.id)
    guard old != reminder else { return }
    if old == nil { indexes.remindersByOwner?[reminder.occurrence.owner, default: []].append(reminder.id) }
    changes.reminders.insert(reminder.id)
  }

  private static func soonestFirst(_ reminders: [Reminder]) -> [Reminder] {
    reminders.sorted { $0.place < $1.place }
  }
}

extension Reminder {
  /// The sort key of a reminder: fire date, items before lists, number, occurrence.
  fileprivate var place: (FireDate, Int, Int64, WallTime) {
    switch occurrence.owner {
    case .item(let id): (fireDate, 0, id, occurrence.wallTime)
    case .list(let id): (fireDate, 1, id, occurrence.wallTime)
    }
  }
}
