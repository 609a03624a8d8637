import BelfryModel
import CivilTime
import FoundationEssentials

/// What taking back a change has done.
public struct UndoneChange: Hashable, Sendable {
  /// What became of an item or list.
  public enum Fate: String, Hashable, Sendable {
    /// The change had made it: it is gone.
    case removed
    /// The change had deleted it: it is back.
    case restored
    /// It is again what it was before the change.
    case reverted
  }

  /// An item, and what became of it.
  public struct Item: Hashable, Sendable {
    /// What became of it.
    public let fate: Fate
    /// The item as it is now, or as it was before it went.
    public let change: ItemChange
  }

  /// A list, and what became of it.
  public struct List: Hashable, Sendable {
    /// What became of it.
    public let fate: Fate
    /// The list as it is now, or as it was before it went.
    public let list: Checklist
  }

  /// The command that was taken back, as it is typed behind `belfry`: `add`, `list delete`.
  public let command: String
  /// When it was carried out.
  public let date: Date
  /// The items, in the order in which the command touched them.
  public var items: [Item] = []
  /// The lists, in the same order.
  public var lists: [List] = []
  /// How many deliveries about them went out since: what is sent stays sent.
  public var deliveredCount = 0
  /// How many deliveries that the command had called off wait to be sent again.
  public var resumedCount = 0
}

extension Belfry {
  /// For how long a change can be taken back, in seconds.
  public static let undoSpan: TimeInterval = 86_400

  /// Makes one change that can be taken back.
  ///
  /// - Parameter command: what is carried out, as it is typed behind `belfry`.
  func change<Result>(as command: String, _ body: (Change) throws -> Result) throws -> Result {
    try change { change in
      var change = change
      let notes = UndoNotes()
      change.notes = notes
      let result = try body(change)
      if !notes.isEmpty {
        let content = UndoContent(notes, command: command)
        try change.transaction.keep(UndoRecord(date: change.stamp, content: content.text))
      }
      return result
    }
  }

  /// Takes back the last change of items and lists, and plans what then is asked for: an occurrence that has rung does
  /// not ring again. Taken back itself, it is done again.
  ///
  /// - Throws: ``BelfryError`` `.notFound` where no change can be taken back any more, `.badInput` where something was
  ///   changed since, and what the store throws.
  public func undo() throws -> UndoneChange {
    try change(as: "undo") { change in
      guard let record = try change.transaction.undoRecord() else {
        throw BelfryError(.notFound, "there is no change to take back", hint: "'belfry show' shows what there is")
      }
      let made = change.planner.floatingZone.readable(record.date)
      guard change.now.timeIntervalSince(record.date) <= Self.undoSpan else {
        throw BelfryError(
          .notFound, "the last change was made \(made): only what is less than a day old can be taken back")
      }
      guard let content = UndoContent(parsing: record.content) else {
        throw BelfryError(.notFound, "the last change was made by another version of Belfry, which can take it back")
      }
      guard content.isComplete else {
        throw BelfryError(
          .notFound,
          "the last change, 'belfry \(content.command)', touched more than \(UndoNotes.limit) items and lists: that is "
            + "too much to take back")
      }
      var undoing = UndoInProgress(change, content, made: record.date)
      return try undoing.run()
    }
  }
}

/// One taking back in progress.
private struct UndoInProgress {
  private let change: Change
  private let content: UndoContent
  private var undone: UndoneChange
  private var affectedLists: Set<Int64> = []

  init(_ change: Change, _ content: UndoContent, made: Date) {
    self.change = change
    self.content = content
    undone = UndoneChange(command: content.command, date: made)
  }

  mutating func run() throws -> UndoneChange {
    for entry in content.items { try require(entry, change.transaction.item(id: entry.id)?.item.undoMark, "item") }
    for entry in content.lists { try require(entry, change.transaction.list(id: entry.id)?.undoMark, "list") }
    // Lists before what is on them, and after it where they go.
    for entry in content.lists where entry.before != nil { try takeBackList(entry) }
    for entry in content.items { try takeBackItem(entry) }
    for entry in content.lists where entry.before == nil { try takeBackList(entry) }
    try resumeDeliveries()
    try change.itemsChanged(on: affectedLists)
    return undone
  }

  private func require(_ entry: UndoContent.Entry, _ mark: String?, _ noun: String) throws {
    guard mark != entry.after else { return }
    throw BelfryError(
      .badInput, "\(noun) \(entry.id) is no longer what 'belfry \(content.command)' left: nothing was taken back",
      hint: "it was changed since; 'belfry show --all' shows what there is")
  }

  private func unreadable() -> BelfryError {
    BelfryError(.badInput, "what there was before 'belfry \(content.command)' cannot be read: nothing was taken back")
  }
}

// MARK: Items

extension UndoInProgress {
  private mutating func takeBackItem(_ entry: UndoContent.Entry) throws {
    let listing = try change.transaction.item(id: entry.id)
    guard let image = entry.before else {
      guard let listing else { return }
      try countDeliveries(of: .item(entry.id))
      affectedLists.insert(listing.item.listID)
      undone.items.append(
        UndoneChange.Item(
          fate: .removed,
          change: ItemChange(
            listing: try change.delete(listing), schedule: Reconciliation(planned: [], existing: [], now: change.now))))
      return
    }
    guard let item = try change.restored(item: image) else { throw unreadable() }
    try countDeliveries(of: .item(entry.id))
    if let old = listing?.item {
      affectedLists.insert(old.listID)
      if old.isSame(as: item) { try change.note(old) } else { try change.update(item, from: old) }
    } else {
      try restore(item)
    }
    affectedLists.insert(item.listID)
    if item.isChecked { try change.discardDeliveries(of: .item(item.id)) }
    if item.recurrence != nil { try cancelOccurrencesAhead(of: item) }
    var schedule = try change.reschedule(item)
    schedule.add(try takeBackExtraRinging(of: .item(item.id), to: Set(entry.extraRinging)))
    undone.items.append(
      UndoneChange.Item(
        fate: listing == nil ? .restored : .reverted,
        change: ItemChange(listing: try change.item(item.id), schedule: schedule)))
  }

  // What the change had scheduled of a repeat still belongs to the series: planning alone would let it stand.
  private func cancelOccurrencesAhead(of item: Item) throws {
    for var reminder in try change.transaction.reminders(of: .item(item.id), at: nil, state: .scheduled)
    where reminder.occurrence.kind == .planned && reminder.fireDate.date > change.now {
      reminder.state = .cancelled
      reminder.changedAt = change.stamp
      try change.transaction.put(reminder)
    }
  }

  private func restore(_ item: Item) throws {
    guard try change.transaction.list(id: item.listID) != nil, try change.transaction.item(uuid: item.uuid) == nil
    else {
      throw BelfryError(.badInput, "item \(item.id) has no place any more: nothing was taken back")
    }
    try change.transaction.restore(.item(item))
    change.notes?.itemBecame(item, id: item.id)
  }

  // Of the snoozes and nags that were scheduled, what has not passed is scheduled again; others are called off.
  private func takeBackExtraRinging(of owner: ReminderOwner, to wanted: Set<UUID>) throws -> [FireDate] {
    for var reminder in try change.scheduledExtraRinging(of: owner) where !wanted.contains(reminder.id) {
      reminder.state = .cancelled
      reminder.changedAt = change.stamp
      try change.transaction.put(reminder)
    }
    var scheduled: [FireDate] = []
    for id in wanted {
      guard var reminder = try change.transaction.reminder(id: id), reminder.state == .cancelled,
        reminder.fireDate.date > change.now
      else { continue }
      reminder.state = .scheduled
      reminder.changedAt = change.stamp
      try change.transaction.put(reminder)
      scheduled.append(reminder.fireDate)
    }
    return scheduled
  }
}

// MARK: Lists

extension UndoInProgress {
  private mutating func takeBackList(_ entry: UndoContent.Entry) throws {
    let current = try change.transaction.list(id: entry.id)
    guard let image = entry.before else {
      guard let current else { return }
      try countDeliveries(of: .list(entry.id))
      // Emptied of what the change had put on it; what else came would be somebody's.
      var others = false
      try change.transaction.visitItems(ItemQuery(listID: entry.id, checked: .any, limit: 1)) { _ in others = true }
      guard !others else {
        throw BelfryError(
          .badInput, "the list '\(current.name)' has items that came since: nothing was taken back",
          hint: "move or delete them first")
      }
      try change.delete(current)
      affectedLists.remove(entry.id)
      undone.lists.append(UndoneChange.List(fate: .removed, list: current))
      return
    }
    guard var list = try change.restored(list: image) else { throw unreadable() }
    if let taken = try change.transaction.list(named: list.name), taken.id != list.id {
      throw BelfryError(
        .badInput, "there is another list '\(taken.name)' now: nothing was taken back", hint: "rename that one first")
    }
    if let current {
      try countDeliveries(of: .list(entry.id))
      list.keepPlace(of: current)
      if !list.isSame(as: current) { try change.update(list, from: current) }
    } else {
      try change.transaction.restore(.list(list))
      change.notes?.listBecame(list, id: list.id)
    }
    affectedLists.insert(list.id)
    try change.reschedule(list)
    _ = try takeBackExtraRinging(of: .list(list.id), to: Set(entry.extraRinging))
    undone.lists.append(UndoneChange.List(fate: current == nil ? .restored : .reverted, list: list))
  }
}

// MARK: Deliveries

extension UndoInProgress {
  private mutating func countDeliveries(of owner: ReminderOwner) throws {
    undone.deliveredCount += try change.transaction.deliveries(of: owner, state: .delivered)
      .count { delivery, _ in delivery.closedAt.map { $0 >= undone.date } ?? false }
  }

  // What the change called off was never sent, as far as anybody knows: it goes out after all, under its identity.
  private mutating func resumeDeliveries() throws {
    for id in content.discarded {
      guard var delivery = try change.transaction.delivery(id: id), delivery.state == .discarded else { continue }
      delivery.state = .pending
      delivery.closedAt = nil
      delivery.nextAttemptAt = change.stamp
      delivery.permittedFrom = max(delivery.permittedFrom, change.stamp)
      try change.transaction.update(delivery)
      undone.resumedCount += 1
    }
  }
}

extension Checklist {
  // A reminder that repeats has moved on by itself: it does not go back.
  fileprivate mutating func keepPlace(of current: Checklist) {
    guard let due = current.reminder?.due, let recurrence = reminder?.recurrence,
      current.reminder?.recurrence == recurrence, current.reminder?.zone == reminder?.zone
    else { return }
    reminder?.due = due
  }
}
