import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Replaces the store by a copy.
  ///
  /// Numbers continue from those of the replaced store, and reminders that have fired there do not fire again.
  ///
  /// - Throws: as ``RestorableStore/restore(from:continuing:)``.
  package func restore(_ store: any RestorableStore, from copy: String?) throws -> Restoration {
    var rung = 0
    var restoration = try store.restore(from: copy) { transaction, remains in
      let change = Change(transaction: transaction, planner: try planner(transaction), now: time.now, stop: stop)
      rung = try Continuation(change: change, remains: remains).run()
    }
    restoration.rung = rung
    return restoration
  }
}

/// Updates a copy of a store with changes that the store made after the copy.
///
/// Lists, items and answers stay as they were. If deliveries may be missing, no reminder is taken over: ringing twice
/// is better than not at all.
private struct Continuation {
  let change: Change
  let remains: StoreRemains

  private var transaction: any StoreTransaction { change.transaction }

  /// Returns the number of reminders that have fired since.
  func run() throws -> Int {
    let counters = try transaction.counters()
    let raised = counters.raised(to: remains.counters)
    if raised != counters { try transaction.restore(.counters(raised)) }
    guard remains.hasReminders, try isSameStore() else { return 0 }
    try takeOverPeople()
    try takeOverMessages()
    for inbox in remains.inboxes { try transaction.put(inbox) }
    var rung = 0
    for (owner, reminders) in remains.reminders { rung += try takeOver(reminders, of: owner) }
    return rung
  }

  // A copy of another store has the same numbers for other records.
  private func isSameStore() throws -> Bool {
    try transaction.lists().allSatisfy { remains.lists[$0.id] ?? $0.uuid == $0.uuid }
      && remains.deliveries.allSatisfy {
        try transaction.delivery(id: $0.id)?.messageID ?? $0.messageID == $0.messageID
      }
  }

  private func takeOverPeople() throws {
    let known = try transaction.people()
    for person in remains.people where !known.contains(where: { $0.number == person.number || $0.name == person.name })
    {
      try transaction.restore(.person(person))
    }
  }

  private func takeOverMessages() throws {
    for message in remains.messages where try transaction.message(id: message.id) == nil {
      try transaction.restore(.message(message))
    }
    for delivery in remains.deliveries {
      let attempts = remains.attempts[delivery.id] ?? []
      if let known = try transaction.delivery(id: delivery.id) {
        guard known.state == .pending, delivery.state != .pending || delivery.attempts > known.attempts else {
          continue
        }
        try transaction.update(delivery)
        for attempt in attempts.dropFirst(try transaction.attempts(of: delivery.id).count) {
          try transaction.add(attempt)
        }
      } else {
        try transaction.restore(.delivery(delivery))
        for attempt in attempts { try transaction.restore(.attempt(attempt)) }
      }
    }
    for owner in Set(remains.messages.flatMap { $0.contents.map(\.owner) }) where try uuid(of: owner) == nil {
      try change.discardEndedDeliveries(of: owner)
    }
  }

  // Takes over all reminders of an item or list if one of them has fired since the copy: nags, snoozes and escalations
  // continue from there too.
  private func takeOver(_ reminders: [Reminder], of owner: ReminderOwner) throws -> Int {
    guard let uuid = try uuid(of: owner), reminders.allSatisfy({ $0.id == $0.occurrence.reminderID(ownerUUID: uuid) })
    else { return 0 }
    let known = Dictionary(try transaction.reminders(of: owner).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let rung = reminders.count { $0.isOver && known[$0.id]?.isOver != true }
    guard rung > 0 else { return 0 }
    for reminder in reminders where reminder.supersedes(known[reminder.id]) { try transaction.put(reminder) }
    _ = try change.log.attempt(owner) {
      switch owner {
      case .item(let id): if let item = try transaction.item(id: id)?.item { _ = try change.reschedule(item) }
      case .list(let id): if let list = try transaction.list(id: id) { try change.reschedule(list) }
      }
    }
    return rung
  }

  private func uuid(of owner: ReminderOwner) throws -> UUID? {
    switch owner {
    case .item(let id): try transaction.item(id: id)?.item.uuid
    case .list(let id): try transaction.list(id: id)?.uuid
    }
  }
}

extension Reminder {
  fileprivate var isOver: Bool { state == .fired || state == .missed }

  // A planned reminder that was cancelled after the copy belongs to an item of the copy again.
  fileprivate func supersedes(_ known: Reminder?) -> Bool {
    if isOver { return known?.isOver != true }
    if state == .cancelled, occurrence.kind == .planned { return false }
    return known.map { !$0.isOver && $0.changedAt < changedAt } ?? true
  }
}
