import BelfryModel
import CivilTime
import FoundationEssentials

/// The result of planning edits that another program made in the store's file.
public struct PlannedEdits: Hashable, Sendable {
  private static let limit = 100

  /// The number of items and lists whose reminders changed.
  public internal(set) var count = 0
  /// Warnings about unknown time zones, one sentence for each item or list, at most a hundred.
  public private(set) var warnings: [String] = []

  fileprivate mutating func warn(of fault: UnknownZone, _ words: String) {
    if warnings.count < Self.limit { warnings.append("\(words) cannot be scheduled: \(fault)") }
  }
}

extension Belfry {
  /// Plans edits that another program made in the store's file, if there are any. The daemon calls this each minute.
  ///
  /// An edit counts as made when the file was saved, so reminders that have passed since then fire late.
  ///
  /// - Parameter lastLook: the last time at which the file was checked and planned; an edit cannot be older.
  /// - Returns: the result; `nil` if there were no edits.
  package func planEdits(since lastLook: Date = .distantPast) throws -> PlannedEdits? {
    try planEdits(since: lastLook, noting: SetAsideLog())
  }

  /// Reads one consistent state, in which the edits of other programs are planned.
  ///
  /// - Parameter unplanned: called with the reason if the store cannot be changed now; then the state is read as it is.
  package func readPlanned<Result>(
    unplanned: (BelfryError) -> Void, _ body: (Reading) throws -> Result
  ) throws -> Result {
    let present = try read { reading in try reading.view.isEditedElsewhere() ? nil : Optional(try body(reading)) }
    if let present { return present }
    do {
      _ = try planEdits()
    } catch let error as BelfryError where [.noPermission, .cannotCreate, .storeFailed, .tryAgain].contains(error.kind)
    {
      unplanned(error)
    }
    return try read(body)
  }

  func planEdits(since lastLook: Date, noting log: SetAsideLog) throws -> PlannedEdits? {
    guard try store.read({ try $0.isEditedElsewhere() }) else { return nil }
    return try write { transaction in
      let change = Change(
        transaction: transaction, planner: try planner(transaction), now: time.now, stop: stop, log: log)
      let edits = try change.planEdits(since: lastLook)
      try change.updateCopies(settings)
      return edits
    }
  }
}

extension Change {
  /// Updates due dates and reminders to wall-clock times, zones and checkmarks that were edited by hand.
  @discardableResult
  func planEdits(since lastLook: Date = .distantPast) throws -> PlannedEdits? {
    guard let edited = try transaction.editedElsewhere() else { return nil }
    let changeAtEdit = Change(
      transaction: transaction, planner: planner, now: min(now, max(edited, lastLook)), stop: stop, log: log)
    var edits = PlannedEdits()
    let ids = try transaction.editedItems()
    let items = try ids.map { try $0.compactMap { try transaction.item(id: $0) } }
    for item in try (items ?? transaction.listings(ItemQuery(kind: .any, checked: .any))).map(\.item) {
      try stop.check()
      if let fault = planner.fault(of: item.zone), planner.plan(of: item) != nil {
        edits.warn(of: fault, "item \(item.id)")
      }
      if try planEdit(of: item, at: changeAtEdit) { edits.count += 1 }
    }
    for var list in try transaction.lists() {
      if let reminder = list.reminder, let fault = planner.fault(of: reminder.zone) {
        edits.warn(of: fault, "the reminder of list '\(list.name)'")
      }
      if var reminder = list.reminder, let zone = try? planner.zone(reminder.zone),
        let due = try? planner.resolve(reminder.due.local, in: zone), due != reminder.due
      {
        reminder.due = due
        list.reminder = reminder
        try transaction.update(list)
      }
      let planned = try log.attempt(.list(list.id)) { try changeAtEdit.reschedule(list, isMoved: true) }
      if planned?.changesAnything == true { edits.count += 1 }
    }
    edits.count += try cancelRemoved(of: ids)
    try transaction.acknowledgeEdits()
    return edits
  }

  // Returns whether the reminders of the item have changed.
  private func planEdit(of edited: Item, at edit: Change) throws -> Bool {
    var item = edited
    let checked = item.asChecked
    if item.isChecked {
      try discardEndedDeliveries(of: .item(item.id))
      item.checkedAt = item.checkedAt ?? edit.stamp
    } else if checked != nil {
      (item.checkedAt, item.lastChecked) = (nil, nil)
      outdated.add(.item(item.id))
    }
    if let local = item.due?.local, let due = try? planner.resolve(local, in: planner.displayZone(item.zone)) {
      item.due = due
    }
    if item != edited { try transaction.update(item) }
    // The cancellation has the present time, not the time of the edits, since another item may have been edited before
    // this one was checked.
    guard !item.isChecked else { return try cancelReminders(of: .item(item.id)) > 0 }
    let isChanged = try log.attempt(.item(item.id)) {
      // The zone in which it was planned is not known.
      let planned = try edit.reschedule(item, isMoved: true)
      let nags = try checked.map(edit.nagOn(afterUncheckOf:)) ?? []
      return planned.changesAnything || !nags.isEmpty
    }
    return isChanged ?? false
  }

  // Items and lists removed by hand are treated as if they had been deleted; `ids` are the items that may have been,
  // `nil` if that is not known. Returns the number of those that had scheduled reminders.
  private func cancelRemoved(of ids: [Int64]?) throws -> Int {
    let removed = try (ids.map { Set($0.map(ReminderOwner.item)) } ?? ownersWithReminders()).filter { owner in
      switch owner {
      case .item(let id): try transaction.item(id: id) == nil
      case .list(let id): try transaction.list(id: id) == nil
      }
    }
    var count = 0
    for owner in removed {
      if try cancelReminders(of: owner) > 0 { count += 1 }
      try discardEndedDeliveries(of: owner)
    }
    return count
  }

  private func ownersWithReminders() throws -> Set<ReminderOwner> {
    let scheduled = try transaction.dueReminders(at: .distantFuture, limit: .max).map(\.occurrence.owner)
    return try ownersOfOpenMessages().union(scheduled)
  }

  // The items and lists in messages that wait, or whose copies may still offer their actions.
  private func ownersOfOpenMessages() throws -> Set<ReminderOwner> {
    var owners: Set<ReminderOwner> = []
    var latest: [UUID: Message.Kind] = [:]
    // From the newest to the oldest, so that an update is visited before the message that it is about.
    try transaction.forEachDelivery(state: nil, limit: nil) { delivery, message in
      if let update = message.update {
        if delivery.state != .discarded, latest[update.messageID] == nil { latest[update.messageID] = message.kind }
      } else if delivery.state == .pending || message.isWithdrawable && latest[message.id] != .answered {
        owners.formUnion(message.contents.map(\.owner))
      }
    }
    return owners
  }
}

extension Item {
  /// The item as it was while it was checked, if it was opened by hand since; `nil` otherwise. A repeating item keeps
  /// the time of its last check too, but has moved on since.
  fileprivate var asChecked: Item? {
    guard !isChecked, checkedAt != nil, lastChecked.map({ $0.due == due?.local }) ?? true else { return nil }
    var checked = self
    checked.isChecked = true
    return checked
  }
}

extension Reconciliation {
  fileprivate var changesAnything: Bool { !puts.isEmpty }
}
