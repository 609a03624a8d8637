import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// Follows the acknowledgements and snoozes that another program wrote in the alarms of a to-do (RFC 9074).
struct ForeignAlarms {
  let transaction: any StoreTransaction
  let planner: Planner
  let now: Date

  /// Ends and schedules the reminders of an item after a change of its file.
  ///
  /// - Parameters:
  ///   - old: the to-do as the file had it before; `nil` for a new file.
  ///   - new: the to-do as the file has it now.
  func follow(_ item: Item, from old: ImportedItem?, to new: ImportedItem) throws {
    for lead in item.alerts {
      guard let instant = new.acknowledged.end(of: lead), instant != old?.acknowledged.end(of: lead) else { continue }
      try end(item, lead, until: min(instant, now))
    }
    guard new.snoozedUntil != old?.snoozedUntil else { return }
    try end(item) { $0.occurrence.kind.isSnooze && $0.fireDate.date == old?.snoozedUntil }
    guard let until = new.snoozedUntil, until > now, let snooze = planner.snooze(of: item, until: until, at: now) else {
      return
    }
    try end(item) { $0.occurrence.kind != .planned }
    try transaction.put(snooze)
  }

  // A repeated ring belongs to the reminder that rang first. Later alarms and occurrences have an acknowledgement of
  // their own.
  private func end(_ item: Item, _ lead: CalendarDuration, until instant: Date) throws {
    let rung = try transaction.reminders(of: .item(item.id)).filter {
      $0.occurrence.kind == .planned && $0.occurrence.lead == lead && $0.fireDate.date <= instant
    }
    let times = Set(rung.map(\.occurrence.wallTime))
    try end(item) { reminder in
      let occurrence = reminder.occurrence
      return !occurrence.kind.isSnooze && occurrence.lead == lead && times.contains(occurrence.wallTime)
    }
  }

  private func end(_ item: Item, where isOver: (Reminder) throws -> Bool) throws {
    for var reminder in try transaction.reminders(of: .item(item.id), at: nil, state: .scheduled)
    where try isOver(reminder) {
      (reminder.state, reminder.changedAt) = (.cancelled, now.wholeSeconds)
      try transaction.put(reminder)
    }
  }
}
