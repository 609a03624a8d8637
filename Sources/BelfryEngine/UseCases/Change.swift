import BelfryModel
import ConfigKeys
import FoundationEssentials
import SystemThreads

/// A change in progress: the transaction, and the rules that every change of an item or list follows.
struct Change {
  let transaction: any StoreTransaction
  let planner: Planner
  /// The exact time of the change.
  let now: Date
  /// The undo record of the change; `nil` for changes that cannot be undone.
  var notes: UndoNotes?
  /// A request to stop long work early.
  var stop = StopRequest.never
  /// The items and lists set aside by the change.
  var log = SetAsideLog()
  /// The items and lists whose delivered messages may be out of date.
  let outdated = OutdatedCopies()
  /// The time of the change in whole seconds, as records keep it.
  var stamp: Date { now.wholeSeconds }

  /// Updates an item's reminders to its current state.
  ///
  /// - Parameters:
  ///   - isNew: whether the item was just added, which saves reading its reminders.
  ///   - isMoved: whether a person gave it another zone.
  func reschedule(_ item: Item, isNew: Bool = false, isMoved: Bool = false) throws -> Reconciliation {
    let scheduled = isNew ? [] : try scheduled(.item(item.id))
    var planned = try planner.reminders(for: item, known: scheduled, now: now) { try !isNew && isOver($0) }
    // They are not scheduled, and the change says so.
    planned += planner.pastAlerts(of: item, now: now).filter { past in !planned.contains { $0.id == past.id } }
    return try apply(planned, over: isNew ? [] : known(planned, scheduled), isMoved: isMoved)
  }

  /// Updates an item's reminders after a change by a person or program. If the change has opened the item again, its
  /// nags continue.
  func reschedule(_ item: Item, from old: Item) throws -> Reconciliation {
    var reconciliation = try reschedule(item, isMoved: old.zone != item.zone)
    if old.checkedAt != nil, item.checkedAt == nil { reconciliation.add(try nagOn(afterUncheckOf: old)) }
    return reconciliation
  }

  /// Updates the reminders of a list to its current state.
  ///
  /// - Parameter isMoved: whether somebody gave its reminder another zone.
  @discardableResult
  func reschedule(_ list: Checklist, isMoved: Bool = false) throws -> Reconciliation {
    let scheduled = try scheduled(.list(list.id))
    let unchecked =
      list.reminder == nil ? 0 : try transaction.uncheckedCount(listID: list.id, dueBefore: nil)
    let planned = try planner.reminders(for: list, unchecked: unchecked, known: scheduled, now: now, isOver: isOver)
    return try apply(planned, over: known(planned, scheduled), isMoved: isMoved)
  }

  /// Schedules one reminder; returns `nil` if it has fired or was missed already.
  @discardableResult
  func schedule(_ planned: PlannedReminder) throws -> Reminder? {
    guard try !isOver(planned) else { return nil }
    let reminder = Reminder(
      id: planned.id, occurrence: planned.occurrence, fireDate: planned.fireDate, state: .scheduled, changedAt: stamp)
    try transaction.put(reminder)
    return reminder
  }

  /// True if a reminder has fired or was missed, and so never fires again.
  func isOver(_ planned: PlannedReminder) throws -> Bool {
    try transaction.isOver(planned)
  }

  /// Updates the reminders of these lists after a change of their items.
  func itemsChanged(on listIDs: Set<Int64>) throws {
    for id in listIDs.sorted() {
      if let list = try transaction.list(id: id) { try itemsChanged(on: list) }
    }
  }

  /// Updates the reminders of a list after a change of its items.
  func itemsChanged(on list: Checklist) throws {
    guard list.reminder != nil else { return }
    // A list whose own reminder cannot be planned still accepts items.
    _ = try log.attempt(.list(list.id)) { try reschedule(list) }
  }

  func cancel(_ reminder: Reminder) throws {
    var reminder = reminder
    (reminder.state, reminder.changedAt) = (.cancelled, stamp)
    try transaction.put(reminder)
  }

  /// Cancels all scheduled reminders of an owner that is about to be deleted.
  func cancelReminders(of owner: ReminderOwner) throws -> Int {
    try apply([], over: scheduled(owner)).cancelled
  }

  /// Discards each pending delivery about an owner if all its reminders have ended. A delivery with a reminder that has
  /// not ended is sent unchanged. Delivered copies are updated at the end of the change.
  func discardEndedDeliveries(of owner: ReminderOwner) throws {
    for (delivery, message) in try transaction.deliveries(of: owner, state: nil) {
      if message.hasCopies { outdated.add(owner) }
      // An update is about the end of its reminders.
      guard delivery.state == .pending, message.update == nil else { continue }
      // A notice that a sink needs attention is about the sink, not about the item that happened to be first in it.
      guard message.contents.first?.failure?.isFinal != false else { continue }
      guard try message.contents.allSatisfy({ try transaction.isEnded($0) }) else { continue }
      guard try transaction.discard(delivery, at: stamp) else { continue }
      outdated.noteDiscard()
      notes?.discarded(delivery.id)
    }
  }

  /// True if this change may discard pending deliveries, since an update of a copy discards the update before it.
  var mayDiscard: Bool { outdated.hasDiscarded || !outdated.owners.isEmpty }

  /// Updates the copies that the change has made out of date. Called at its end, when every answer is kept.
  func updateCopies(_ settings: Settings) throws {
    guard !outdated.owners.isEmpty else { return }
    let updates = CopyUpdates(transaction: transaction, now: stamp, zone: planner.floatingZone, settings: settings)
    for owner in outdated.owners { try updates.run(owner) }
  }

  private func scheduled(_ owner: ReminderOwner) throws -> [Reminder] {
    try transaction.reminders(of: owner, at: nil, state: .scheduled)
  }

  // The stored reminders of the planned occurrences in any state, and all scheduled ones.
  private func known(_ planned: [PlannedReminder], _ scheduled: [Reminder]) throws -> [Reminder] {
    try scheduled
      + planned.filter { plan in !scheduled.contains { $0.id == plan.id } }.flatMap { plan in
        try transaction.reminders(of: plan.occurrence.owner, at: plan.occurrence.wallTime, state: nil)
          .filter { $0.id == plan.id }
      }
  }

  private func apply(
    _ planned: [PlannedReminder], over existing: [Reminder], isMoved: Bool = false
  ) throws -> Reconciliation {
    let reconciliation = Reconciliation(planned: planned, existing: existing, now: now, isMoved: isMoved)
    for reminder in reconciliation.puts { try transaction.put(reminder) }
    return reconciliation
  }

  /// The item with this id.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  func item(_ id: Int64) throws -> ItemListing {
    guard let listing = try transaction.item(id: id) else { throw BelfryError.noItem(id) }
    return listing
  }
}

extension StoreView {
  /// The list with this id.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  func knownList(_ id: Int64) throws -> Checklist {
    guard let list = try list(id: id) else { throw BelfryError.noList(id) }
    return list
  }

  /// The list that is chosen; `nil` if it does not exist.
  package func list(_ choice: ListChoice) throws -> Checklist? {
    switch choice {
    case .id(let id): try list(id: id)
    case .named(let name, _): try list(named: name.trimmingWhitespace())
    }
  }

  /// The list with this name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name.
  package func knownList(named name: String) throws -> Checklist {
    guard let list = try list(named: name) else {
      throw BelfryError.noList(name, known: try lists().map(\.name))
    }
    return list
  }

  /// True if a reminder has fired or was missed, and so never fires again.
  func isOver(_ planned: PlannedReminder) throws -> Bool {
    try reminders(of: planned.occurrence.owner, at: planned.occurrence.wallTime, state: nil)
      .contains { $0.id == planned.id && ($0.state == .fired || $0.state == .missed) }
  }
}

extension BelfryError {
  /// The error for an unknown item.
  package static func noItem(_ id: Int64) -> BelfryError {
    BelfryError(.notFound, "there is no item \(id)", hint: "'belfry show --all' lists the items with their numbers")
  }

  /// The error for an unknown list.
  static func noList(_ id: Int64) -> BelfryError {
    BelfryError(.notFound, "there is no list \(id)", hint: "'belfry lists --json' shows the lists with their numbers")
  }

  /// The error for an unknown list.
  package static func noList(_ name: String, known: [String]) -> BelfryError {
    let hint =
      if let nearest = Suggestion.nearest(to: name, among: known) {
        "did you mean '\(nearest)'?"
      } else {
        "'belfry lists' shows the lists, 'belfry list create' makes one"
      }
    return BelfryError(.notFound, "there is no list '\(name)'", hint: hint)
  }
}
