import BelfryModel
import ConfigKeys
import FoundationEssentials
import SystemThreads

/// One change in progress: the transaction, with the rules that every change of an item or list keeps.
struct Change {
  let transaction: any StoreTransaction
  let planner: Planner
  /// The instant of the change, exact.
  let now: Date
  /// What it does, where that is to be taken back if need be.
  var notes: UndoNotes?
  /// Whether to end in the middle.
  var stop = StopRequest.never
  /// The items and lists set aside on the way.
  var log = SetAsideLog()
  /// The instant of the change, in whole seconds, as records keep it.
  var stamp: Date { now.wholeSeconds }

  /// Makes an item's reminders what the item asks for now.
  ///
  /// - Parameter isNew: spares the look at reminders that cannot exist.
  func reschedule(_ item: Item, isNew: Bool = false) throws -> Reconciliation {
    let scheduled = isNew ? [] : try scheduled(.item(item.id))
    let planned = try planner.reminders(for: item, known: scheduled, now: now) { try !isNew && isOver($0) }
    return try apply(planned, over: isNew ? [] : known(planned, scheduled))
  }

  /// Makes a list's own reminder what the list asks for now.
  @discardableResult
  func reschedule(_ list: Checklist) throws -> Reconciliation {
    let scheduled = try scheduled(.list(list.id))
    let unchecked =
      list.reminder == nil ? 0 : try transaction.uncheckedCount(listID: list.id, dueBefore: nil)
    let planned = try planner.reminders(for: list, unchecked: unchecked, known: scheduled, now: now, isOver: isOver)
    return try apply(planned, over: known(planned, scheduled))
  }

  /// Schedules one reminder, unless it has rung or was missed already: then `nil`.
  @discardableResult
  func schedule(_ planned: PlannedReminder) throws -> Reminder? {
    guard try !isOver(planned) else { return nil }
    let reminder = Reminder(
      id: planned.id, occurrence: planned.occurrence, fireDate: planned.fireDate, state: .scheduled, changedAt: stamp)
    try transaction.put(reminder)
    return reminder
  }

  /// Whether a reminder has rung or was missed: it never rings again.
  func isOver(_ planned: PlannedReminder) throws -> Bool {
    try transaction.isOver(planned)
  }

  /// Looks again at the own reminders of these lists, whose items have changed.
  func itemsChanged(on listIDs: Set<Int64>) throws {
    for id in listIDs.sorted() {
      if let list = try transaction.list(id: id) { try itemsChanged(on: list) }
    }
  }

  /// Looks again at a list's own reminder, whose items have changed.
  func itemsChanged(on list: Checklist) throws {
    guard list.reminder != nil else { return }
    // A list whose own reminder cannot be planned still takes items.
    _ = try log.attempt(.list(list.id)) { try reschedule(list) }
  }

  /// Cancels everything scheduled for an owner that is about to go.
  func cancelReminders(of owner: ReminderOwner) throws -> Int {
    try apply([], over: scheduled(owner)).cancelled
  }

  /// Calls off what waits to be sent about an owner.
  func discardDeliveries(of owner: ReminderOwner) throws {
    for (delivery, message) in try transaction.deliveries(of: owner, state: .pending) {
      // That a sink needs somebody is no matter of the item that happened to be the first to wait for it.
      guard message.contents.first?.failure?.isFinal != false else { continue }
      // A message of several reminders goes out as long as one of the others is still to be told.
      guard try !message.contents.contains(where: { try isAlive($0.owner, besides: owner) }) else { continue }
      var delivery = delivery
      delivery.state = .discarded
      delivery.nextAttemptAt = nil
      delivery.closedAt = stamp
      try transaction.update(delivery)
      notes?.discarded(delivery.id)
    }
  }

  private func isAlive(_ owner: ReminderOwner, besides gone: ReminderOwner) throws -> Bool {
    guard owner != gone else { return false }
    switch owner {
    case .item(let id): return try transaction.item(id: id).map { !$0.item.isChecked } ?? false
    case .list(let id): return try transaction.list(id: id) != nil
    }
  }

  private func scheduled(_ owner: ReminderOwner) throws -> [Reminder] {
    try transaction.reminders(of: owner, at: nil, state: .scheduled)
  }

  // What the store knows of the planned occurrences, in any state, beside what is scheduled.
  private func known(_ planned: [PlannedReminder], _ scheduled: [Reminder]) throws -> [Reminder] {
    try scheduled
      + planned.filter { plan in !scheduled.contains { $0.id == plan.id } }.flatMap { plan in
        try transaction.reminders(of: plan.occurrence.owner, at: plan.occurrence.wallTime, state: nil)
          .filter { $0.id == plan.id }
      }
  }

  private func apply(_ planned: [PlannedReminder], over existing: [Reminder]) throws -> Reconciliation {
    let reconciliation = Reconciliation(planned: planned, existing: existing, now: now)
    for reminder in reconciliation.puts { try transaction.put(reminder) }
    return reconciliation
  }

  /// The item with this number.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  func item(_ id: Int64) throws -> ItemListing {
    guard let listing = try transaction.item(id: id) else { throw BelfryError.noItem(id) }
    return listing
  }

  /// The list with this name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name.
  func list(_ name: String) throws -> Checklist {
    guard let list = try transaction.list(named: name) else { throw try noList(name) }
    return list
  }

  /// There is no list with this name.
  func noList(_ name: String) throws -> BelfryError {
    BelfryError.noList(name, known: try transaction.lists().map(\.name))
  }
}

extension StoreView {
  /// Whether a reminder has rung or was missed: it never rings again.
  func isOver(_ planned: PlannedReminder) throws -> Bool {
    try reminders(of: planned.occurrence.owner, at: planned.occurrence.wallTime, state: nil)
      .contains { $0.id == planned.id && ($0.state == .fired || $0.state == .missed) }
  }
}

extension BelfryError {
  /// There is no such item.
  public static func noItem(_ id: Int64) -> BelfryError {
    BelfryError(.notFound, "there is no item \(id)", hint: "'belfry show --all' lists the items with their numbers")
  }

  /// There is no such list.
  public static func noList(_ name: String, known: [String]) -> BelfryError {
    let hint =
      if let nearest = Suggestion.nearest(to: name, among: known) {
        "did you mean '\(nearest)'?"
      } else {
        "'belfry lists' shows the lists, 'belfry list create' makes one"
      }
    return BelfryError(.notFound, "there is no list '\(name)'", hint: hint)
  }
}

extension Date {
  /// The start of its second: records keep no fractions.
  public var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}
