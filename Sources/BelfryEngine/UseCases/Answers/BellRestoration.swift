import BelfryModel
import CivilTime
import FoundationEssentials

/// Restores reminders and deliveries of items and lists after answers were taken back.
///
/// A reminder or delivery that an answer cancelled is restored once no other answer cancels it. Until then it stays in
/// the image of the answer that was taken back, so that the order of taking back does not matter.
struct BellRestoration {
  let change: Change
  /// The number of deliveries that are pending again.
  private(set) var resumedCount = 0

  init(change: Change) { self.change = change }

  /// Restores the reminders and deliveries of an owner that taken-back answers had cancelled.
  mutating func run(_ owner: ReminderOwner) throws {
    let answers = try change.transaction.answers(of: owner).filter { $0.takenBackAt != nil }
    // The latest answer first, since the reminders that it cancelled would have rung next.
    for var answer in answers.reversed() where change.now.timeIntervalSince(answer.date) <= Belfry.undoSpan {
      guard var content = answer.image.flatMap(UndoContent.init(parsing:)) else { continue }
      content.discarded = try content.discarded.filter { id in
        let fate = try change.resumeDelivery(id)
        if fate == .resumed { resumedCount += 1 }
        return fate == .ended
      }
      content.items = try content.items.map { try restored($0, of: .item($0.id)) }
      content.lists = try content.lists.map { try restored($0, of: .list($0.id)) }
      answer.image = content.callsOffNothing ? nil : content.text
      try change.transaction.update(answer)
    }
  }

  private func restored(_ entry: UndoContent.Entry, of owner: ReminderOwner) throws -> UndoContent.Entry {
    guard !entry.extraRinging.isEmpty, let plan = try change.plan(of: owner) else { return entry }
    var entry = entry
    // A snooze that was set since replaces all of them.
    let isSnoozed = try change.scheduledExtraRinging(of: owner).contains(where: \.occurrence.kind.isSnooze)
    entry.extraRinging = try change.restoreSteps(entry.extraRinging, of: plan)
    entry.extraRinging = try entry.extraRinging.filter { id in
      guard let reminder = try change.transaction.reminder(id: id), reminder.state == .cancelled else { return false }
      switch reminder.occurrence.kind {
      case .planned, .escalation: return true
      case .nag: return try !change.nagAnew(plan)
      case .snooze: return try !restore(reminder, plan, isSnoozed: isSnoozed)
      }
    }
    return entry
  }

  // Snoozes that have not passed ring as planned.
  private func restore(_ snooze: Reminder, _ plan: OwnerPlan, isSnoozed: Bool) throws -> Bool {
    guard snooze.fireDate.date > change.now else { return true }
    guard plan.series.contains(snooze.occurrence.wallTime) else { return false }
    guard !isSnoozed else { return true }
    // Nags are silent until the snooze rings.
    for nag in try change.scheduledExtraRinging(of: plan.owner) where nag.occurrence.kind.isNag {
      try change.cancel(nag)
    }
    var snooze = snooze
    (snooze.state, snooze.changedAt) = (.scheduled, change.stamp)
    try change.transaction.put(snooze)
    return true
  }
}

extension Change {
  /// The plan of an item or list; `nil` if it has no reminders.
  func plan(of owner: ReminderOwner) throws -> OwnerPlan? {
    switch owner {
    case .item(let id): try transaction.item(id: id).flatMap { planner.plan(of: $0.item) }
    case .list(let id): try transaction.list(id: id).flatMap { planner.plan(of: $0) }
    }
  }
}

extension UndoContent {
  /// The items and lists that it is about.
  var owners: Set<ReminderOwner> {
    Set(items.map { .item($0.id) } + lists.map { .list($0.id) })
  }

  /// True if it lists no discarded delivery and no cancelled snooze, nag or step.
  fileprivate var callsOffNothing: Bool { discarded.isEmpty && (items + lists).allSatisfy(\.extraRinging.isEmpty) }

  /// Removes a reminder from the cancelled ones, so that it is never restored.
  ///
  /// - Returns: whether it was there.
  mutating func forget(_ reminder: UUID) -> Bool {
    guard (items + lists).contains(where: { $0.extraRinging.contains(reminder) }) else { return false }
    for index in items.indices { items[index].extraRinging.removeAll { $0 == reminder } }
    for index in lists.indices { lists[index].extraRinging.removeAll { $0 == reminder } }
    return true
  }
}
