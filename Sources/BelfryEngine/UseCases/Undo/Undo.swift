import BelfryModel
import CivilTime
import FoundationEssentials

/// The result of undoing a change.
public struct UndoneChange: Hashable, Sendable {
  /// The effect of the undo on an item or list.
  public enum Fate: String, CaseIterable, Hashable, Sendable {
    /// Added by the change, now deleted.
    case removed
    /// Deleted by the change, now restored.
    case restored
    /// Edited by the change, now as before.
    case reverted
  }

  /// An item that the undo changed.
  public struct Item: Hashable, Sendable {
    /// The effect on the item.
    public let fate: Fate
    /// The item after the undo, or before its deletion.
    public let change: ItemChange
  }

  /// A list that the undo changed.
  public struct List: Hashable, Sendable {
    /// The effect on the list.
    public let fate: Fate
    /// The list after the undo, or before its deletion.
    public let list: Checklist
  }

  /// The command that was undone, as typed after `belfry`: `add`, `list delete`.
  public let command: String
  /// The time of the command.
  public let date: Date
  /// The items, in the order in which the command changed them.
  public var items: [Item] = []
  /// The lists, in the same order.
  public var lists: [List] = []
  /// The number of deliveries about them that went out since; these cannot be undone.
  public var deliveredCount = 0
  /// The number of deliveries that the command had discarded and that are pending again.
  public var resumedCount = 0
}

extension Belfry {
  /// The time in seconds for which a change can be undone.
  static let undoSpan: TimeInterval = 86_400

  /// Makes one change that can be undone.
  ///
  /// - Parameter command: the command as typed after `belfry`.
  func change<Result>(as command: String, _ body: (Change) throws -> Result) throws -> Result {
    try change { change in
      var change = change
      let notes = UndoNotes()
      change.notes = notes
      let result = try body(change)
      try change.endNotes()
      if !notes.isEmpty { try change.keep(UndoContent(notes, command: command, author: author)) }
      return result
    }
  }
}

extension Change {
  /// Stores the undo record of this change. Changes that were undone before can no longer be redone.
  func keep(_ content: UndoContent) throws {
    for record in try transaction.undoRecords(.redo) { try transaction.remove(record) }
    try transaction.add(UndoRecord(date: stamp, content: content.text))
  }
}

struct UndoInProgress {
  private let change: Change
  private let content: UndoContent
  private let direction: UndoRecord.Direction
  private let subject: String
  private let hint: String
  private let restoresBell: Bool
  private var undone: UndoneChange
  private var affectedLists: Set<Int64> = []

  /// - Parameters:
  ///   - direction: the step as the user calls it.
  ///   - subject: the last step in words, which follow "before" or "after" in messages.
  ///   - hint: the next step for the user if something prevents the undo.
  ///   - restoresBell: whether snoozes, nags and deliveries become what they were before.
  init(
    _ change: Change, _ content: UndoContent, _ direction: UndoRecord.Direction, made: Date, subject: String,
    hint: String, restoresBell: Bool
  ) {
    (self.change, self.content, self.direction) = (change, content, direction)
    (self.subject, self.hint, self.restoresBell) = (subject, hint, restoresBell)
    undone = UndoneChange(command: content.command, date: made)
  }

  mutating func run() throws -> UndoneChange {
    for entry in content.items {
      let item = try change.transaction.item(id: entry.id)?.item
      try require(entry, item?.undoMark, name(of: entry, now: item?.text)?.quotedLine ?? "an item")
    }
    for entry in content.lists {
      let list = try change.transaction.list(id: entry.id)
      let name = name(of: entry, now: list?.name)
      try require(entry, list?.undoMark, name.map { "the list \($0.quotedLine)" } ?? "a list")
    }
    // Lists are restored before their items, and deleted after them.
    for entry in content.lists where entry.before != nil { try undoList(entry) }
    for entry in content.items { try undoItem(entry) }
    for entry in content.lists where entry.before == nil { try undoList(entry) }
    if restoresBell { try resumeDeliveries() }
    for entry in content.items { change.outdated.add(.item(entry.id)) }
    for entry in content.lists { change.outdated.add(.list(entry.id)) }
    try change.itemsChanged(on: affectedLists)
    return undone
  }

  // A command may see everything, so messages call an item or list that it added by its present name.
  private func name(of entry: UndoContent.Entry, now present: String?) -> String? {
    entry.knownName ?? (content.author == nil ? present : nil)
  }

  private func require(_ entry: UndoContent.Entry, _ mark: String?, _ name: String) throws {
    guard mark != entry.after else { return }
    throw obstacle("\(name) was changed after \(subject)", hint: hint)
  }

  private func unreadable() -> BelfryError { obstacle("the state before \(subject) cannot be read") }

  private func obstacle(_ reason: String, hint: String? = nil) -> BelfryError {
    BelfryError(.badInput, "cannot \(direction.words.verb): \(reason)", hint: hint)
  }
}

// MARK: Items

extension UndoInProgress {
  private mutating func undoItem(_ entry: UndoContent.Entry) throws {
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
    if item.isChecked { try change.discardEndedDeliveries(of: .item(item.id)) }
    if item.recurrence != nil { try cancelOccurrencesAhead(of: item) }
    var schedule = try change.reschedule(item, isMoved: listing?.item.zone != item.zone)
    if restoresBell {
      schedule.add(try restoreExtraRinging(of: .item(item.id), entry))
    }
    undone.items.append(
      UndoneChange.Item(
        fate: listing == nil ? .restored : .reverted,
        change: ItemChange(listing: try change.item(item.id), schedule: schedule)))
  }

  // The next occurrence, which the change scheduled, still fits the series, so replanning by itself would keep it.
  private func cancelOccurrencesAhead(of item: Item) throws {
    for reminder in try change.transaction.reminders(of: .item(item.id), at: nil, state: .scheduled)
    where reminder.occurrence.kind == .planned && reminder.fireDate.date > change.now { try change.cancel(reminder) }
  }

  private func restore(_ item: Item) throws {
    guard try change.transaction.list(id: item.listID) != nil, try change.transaction.item(uuid: item.uuid) == nil,
      try item.key.flatMap(change.transaction.item(key:)) == nil
    else {
      throw obstacle("the list of \(item.quoted) is gone, or another item has its UUID or key")
    }
    try change.transaction.restore(.item(item))
    change.notes?.itemBecame(item, id: item.id)
  }

  // Cancels the snoozes, nags and steps that the change has scheduled, and restores those that it has ended. Reminders
  // that were scheduled or ended after the change stay so.
  private func restoreExtraRinging(of owner: ReminderOwner, _ entry: UndoContent.Entry) throws -> [FireDate] {
    let before = try change.scheduledExtraRinging(of: owner)
    for reminder in before where !entry.extraRinging.contains(reminder.id) {
      if entry.ringingAfter?.contains(reminder.id) ?? true { try change.cancel(reminder) }
    }
    try change.restoreRinging(entry.extraRinging.filter { entry.ringingAfter?.contains($0) != true }, of: owner)
    let known = Set(before.map(\.id))
    return try change.scheduledExtraRinging(of: owner).filter { !known.contains($0.id) }.map(\.fireDate)
  }
}

// MARK: Lists

extension UndoInProgress {
  private mutating func undoList(_ entry: UndoContent.Entry) throws {
    let current = try change.transaction.list(id: entry.id)
    guard let image = entry.before else {
      guard let current else { return }
      try countDeliveries(of: .list(entry.id))
      // Items added by the change are deleted by now; other items are newer and must not be lost.
      guard try change.transaction.listings(ItemQuery(listID: entry.id, kind: .any, checked: .any, limit: 1)).isEmpty
      else {
        throw obstacle("items were added to the list '\(current.name)' since", hint: "move or delete them first")
      }
      try change.delete(current)
      affectedLists.remove(entry.id)
      undone.lists.append(UndoneChange.List(fate: .removed, list: current))
      return
    }
    guard var list = try change.restored(list: image) else { throw unreadable() }
    if let taken = try change.transaction.list(named: list.name), taken.id != list.id {
      throw obstacle("another list is named '\(taken.name)' now", hint: "rename that one first")
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
    try change.reschedule(list, isMoved: current?.reminder?.zone != list.reminder?.zone)
    if restoresBell {
      _ = try restoreExtraRinging(of: .list(list.id), entry)
    }
    undone.lists.append(UndoneChange.List(fate: current == nil ? .restored : .reverted, list: list))
  }
}

// MARK: Deliveries

extension UndoInProgress {
  private mutating func countDeliveries(of owner: ReminderOwner) throws {
    undone.deliveredCount += try change.transaction.deliveries(of: owner, state: .delivered)
      .count { delivery, message in message.update == nil && delivery.closedAt.map { $0 >= undone.date } ?? false }
  }

  private mutating func resumeDeliveries() throws {
    for id in content.discarded where try change.resumeDelivery(id) == .resumed { undone.resumedCount += 1 }
  }
}

extension Checklist {
  // A repeating reminder that has advanced meanwhile does not move back.
  fileprivate mutating func keepPlace(of current: Checklist) {
    guard let due = current.reminder?.due, let recurrence = reminder?.recurrence,
      current.reminder?.recurrence == recurrence, current.reminder?.zone == reminder?.zone
    else { return }
    reminder?.due = due
  }
}
