import BelfryModel
import CivilTime
import FoundationEssentials

/// The result of an action that was carried out.
struct DoneAction {
  /// The result, as part of a sentence.
  let words: String
  /// The id of the reminder that a snooze has scheduled; `nil` for other actions.
  var snooze: UUID?
}

extension Change {
  /// Carries out an action of a reminder; `nil` if nothing is left to do.
  ///
  /// - Parameter escalation: the escalation of the reminder; `nil` for none.
  func carryOut(
    _ operation: ActionOperation, of reminder: Reminder, _ content: ReminderContent?, escalation: Escalation?
  ) throws -> DoneAction? {
    switch operation {
    case .none, .edit: return DoneAction(words: "noted")
    case .acknowledge:
      try endFollowers(of: reminder)
      return try acknowledge(reminder, escalation)
    case .check: return try check(reminder, content)
    case .snooze(let duration): return try snooze(reminder, for: duration)
    case .delete: return try delete(reminder)
    case .clearList: return try clearList(of: reminder, content)
    case .deleteList: return try deleteList(of: reminder)
    }
  }

  /// Notes the item or list of a reminder, if it still exists.
  func note(_ owner: ReminderOwner) throws {
    switch owner {
    case .item(let id): if let item = try transaction.item(id: id)?.item { try note(item) }
    case .list(let id): if let list = try transaction.list(id: id) { try note(list) }
    }
  }

  /// Ends the nags and steps that follow a reminder. Those of other occurrences and alerts stay.
  ///
  /// - Parameter withSnoozes: whether snoozes of it end as well.
  func endFollowers(of reminder: Reminder, withSnoozes: Bool = false) throws {
    let occurrence = reminder.occurrence
    for other in try transaction.reminders(of: occurrence.owner, at: occurrence.wallTime, state: .scheduled)
    where other.hasLead(of: reminder) {
      let kind = other.occurrence.kind
      if kind.isNag || other.place != nil || withSnoozes && kind.isSnooze { try cancel(other) }
    }
  }

  // MARK: Acknowledgement

  private func acknowledge(_ reminder: Reminder, _ escalation: Escalation?) throws -> DoneAction {
    guard let escalation, let duration = escalation.againAfter, let plan = try plan(of: reminder.occurrence.owner),
      try escalation.again == .always || !hasRungAgain(reminder),
      let fireDate = plan.instant(of: duration, after: now)
    else { return DoneAction(words: "acknowledged") }
    let again = try scheduleSnooze(
      plan, of: reminder.occurrence.wallTime, lead: reminder.occurrence.lead, until: fireDate)
    return DoneAction(
      words: "acknowledged; unless it is done, it rings again \(plan.series.zone.readable(again.fireDate.date))",
      snooze: again.id)
  }

  // True if the ringing follows an acknowledgement.
  private func hasRungAgain(_ reminder: Reminder) throws -> Bool {
    let ring = try transaction.ring(of: reminder)
    return try transaction.answers(of: reminder.occurrence.owner).contains {
      $0.snooze == ring && $0.operation == .acknowledge && $0.counts
    }
  }

  // MARK: Check

  private func check(_ reminder: Reminder, _ content: ReminderContent?) throws -> DoneAction? {
    switch reminder.occurrence.owner {
    case .item(let id):
      guard let item = try transaction.item(id: id)?.item else { return nil }
      let checked = try checked(item, answering: reminder.occurrence.wallTime)
      try update(checked, from: item)
      // Snoozes and nags of occurrences up to this one end with it; later ones go on.
      _ = try reschedule(checked)
      try itemsChanged(on: [item.listID])
      return DoneAction(words: "checked \(item.quoted)")
    case .list(let id):
      let rung = try items(thatRangWith: reminder, content).filter { $0.listID == id }
      guard let first = rung.first else { return nil }
      _ = try setChecked(true, rung.map(\.id))
      try endFollowers(ofList: reminder)
      return DoneAction(words: rung.count == 1 ? "checked \(first.quoted)" : "checked \(rung.count) items")
    }
  }

  // The items that a list's reminder named and that have changed in nothing but their text since.
  private func items(thatRangWith reminder: Reminder, _ content: ReminderContent?) throws -> [Item] {
    guard let snapshots = content?.list?.unchecked else {
      return try items(of: reminder).filter { !$0.isChecked && $0.createdAt <= latestMaking(of: reminder) }
    }
    return try snapshots.compactMap { snapshot in
      guard let item = try transaction.item(id: snapshot.id)?.item, item.uuid == snapshot.uuid, !item.isChecked else {
        return nil
      }
      let hasMovedOn = item.recurrence != nil && item.due?.local != snapshot.dueLocal
      return hasMovedOn ? nil : item
    }
  }

  // MARK: Snooze

  private func snooze(_ reminder: Reminder, for duration: CalendarDuration) throws -> DoneAction? {
    let (plan, words, zone): (OwnerPlan?, String, ItemZone)
    switch reminder.occurrence.owner {
    case .item(let id):
      guard let item = try transaction.item(id: id)?.item else { return nil }
      (plan, words, zone) = (planner.plan(of: item), item.quoted, item.zone)
    case .list(let id):
      guard let list = try transaction.list(id: id), let own = list.reminder,
        try transaction.uncheckedCount(listID: id, dueBefore: nil) > 0
      else { return nil }
      (plan, words, zone) = (planner.plan(of: list), "the list '\(list.name)'", own.zone)
    }
    guard let plan else { return nil }
    let next = try snooze(plan, until: .after(duration), of: reminder.occurrence)
    let end = planner.displayZone(zone).readable(next.fireDate.date)
    return DoneAction(words: "snoozed \(words) until \(end)", snooze: next.id)
  }

  // MARK: Deletion

  private func delete(_ reminder: Reminder) throws -> DoneAction? {
    guard case .item(let id) = reminder.occurrence.owner, let item = try transaction.item(id: id)?.item else {
      return nil
    }
    _ = try delete([id])
    return DoneAction(words: "deleted \(item.quoted)")
  }

  private func clearList(of reminder: Reminder, _ content: ReminderContent?) throws -> DoneAction? {
    guard let list = try transaction.list(of: reminder) else { return nil }
    let latest = latestMaking(of: reminder)
    let named = content?.list.map { Set($0.unchecked.map(\.uuid)) }
    let ids = try items(of: reminder).filter { item in
      guard item.createdAt <= latest else { return false }
      // Items that the list's reminder did not name are deleted only if they were checked then and have not changed
      // since; the others were added later.
      return named.map { $0.contains(item.uuid) || item.isChecked && item.updatedAt <= latest } ?? true
    }.map(\.id)
    guard !ids.isEmpty else { return nil }
    _ = try delete(ids)
    try endFollowers(ofList: reminder)
    return DoneAction(words: "deleted \(counted(ids.count, "item")) of the list '\(list.name)'")
  }

  // Items that were added to the list since keep its later reminders alive, so the reminder that was answered is ended
  // here.
  private func endFollowers(ofList reminder: Reminder) throws {
    guard case .list = reminder.occurrence.owner else { return }
    try endFollowers(of: reminder, withSnoozes: true)
  }

  private func deleteList(of reminder: Reminder) throws -> DoneAction? {
    guard let list = try transaction.list(of: reminder) else { return nil }
    try delete(list)
    return DoneAction(words: "deleted the list '\(list.name)'")
  }

  // All items on the list.
  private func items(of reminder: Reminder) throws -> [Item] {
    guard let list = try transaction.list(of: reminder) else { return [] }
    return try transaction.listings(ItemQuery(listID: list.id, checked: .any)).map(\.item)
  }

  // The time of ringing, since the reminder was not about items created later.
  private func latestMaking(of reminder: Reminder) -> Date {
    reminder.state == .scheduled ? .distantFuture : reminder.changedAt
  }
}
