import BelfryModel
import FoundationEssentials

/// The result of a change of a list's own reminder.
public struct ListReminderChange: Hashable, Sendable {
  /// The list after the change. Without unchecked items nothing is scheduled yet.
  public var summary: ListSummary
  /// The changes of its reminders.
  public var schedule: Reconciliation
}

extension Belfry {
  /// Creates an empty list.
  ///
  /// - Throws: ``BelfryError`` `.badInput` if the name is invalid or taken.
  package func createList(_ name: String) throws -> ListSummary {
    try change(as: "list create") { change in
      let name = try change.freeName(name)
      return try change.summary(of: change.addList(name: name, uuid: UUID(), at: change.stamp).id)
    }
  }

  /// Renames a list; its items and their schedule stay.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` if the new name is invalid or taken.
  package func renameList(_ id: Int64, to name: String) throws -> ListSummary {
    try change(as: "list rename") { change in
      let old = try change.transaction.knownList(id)
      var list = old
      list.name = try change.freeName(name, except: id)
      list.updatedAt = change.stamp
      try change.update(list, from: old)
      return try change.summary(of: id)
    }
  }

  /// Deletes a list and its items, cancels their reminders and discards their pending deliveries.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` for a calendar with events.
  public func deleteList(_ id: Int64) throws -> ListSummary {
    try change(as: "list delete") { change in
      let list = try change.transaction.knownList(id)
      let summary = try change.summary(of: id)
      try change.delete(list)
      return summary
    }
  }

  /// Deletes every to-do of a list and keeps the list, with its events.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  package func clearList(_ id: Int64) throws -> ListSummary {
    try change(as: "list clear") { change in
      let list = try change.transaction.knownList(id)
      let summary = try change.summary(of: id)
      try change.deleteItems(of: list)
      try change.itemsChanged(on: [id])
      return summary
    }
  }

  /// Sets a list's own reminder; `nil` removes it.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` for an invalid message or date.
  package func remindList(_ id: Int64, _ draft: ListReminderDraft?) throws -> ListReminderChange {
    try change(as: "list remind") { change in
      let old = try change.transaction.knownList(id)
      var list = old
      list.reminder = try draft.map { draft in
        let due = try change.planner.due(at: draft.at, in: draft.zone)
        return ListReminder(
          due: due, zone: draft.zone,
          recurrence: try draft.rule.map { try Recurrence($0, from: due, origin: .due) },
          message: try draft.message.map(TextRules.message), category: draft.category)
      }
      list.updatedAt = change.stamp
      try change.update(list, from: old)
      let schedule = try change.reschedule(list, isMoved: old.reminder?.zone != list.reminder?.zone)
      return ListReminderChange(summary: try change.summary(of: id), schedule: schedule)
    }
  }
}

extension Change {
  /// A valid name for a list, which no other list has.
  func freeName(_ name: String, except id: Int64? = nil) throws -> String {
    let name = try TextRules.listName(name)
    if let taken = try transaction.list(named: name), taken.id != id {
      throw BelfryError(.badInput, "there is a list '\(taken.name)' already", hint: "choose another name")
    }
    return name
  }

  /// The list with its counts.
  func summary(of id: Int64) throws -> ListSummary {
    guard let summary = try transaction.listSummaries(of: id, now: now).first else { throw BelfryError.noList(id) }
    return summary
  }

  func delete(_ list: Checklist) throws {
    try requireNoEvents(on: list)
    try deleteItems(of: list)
    _ = try cancelReminders(of: .list(list.id))
    try remove(list)
    try discardEndedDeliveries(of: .list(list.id))
  }

  // Events are in the files of another program, which Belfry only reads.
  private func requireNoEvents(on list: Checklist) throws {
    let events = try transaction.listings(ItemQuery(listID: list.id, kind: .events, checked: .any)).count
    guard events > 0 else { return }
    throw BelfryError(
      .badInput, "the list '\(list.name)' has \(counted(events, "event")) of a calendar, which Belfry only reads",
      hint: "delete the calendar with the program that keeps it; 'belfry list clear' deletes the to-dos alone")
  }

  /// Deletes the to-dos of a list that were created by `latest`; all by default. Returns their number.
  @discardableResult
  func deleteItems(of list: Checklist, madeBy latest: Date = .distantFuture) throws -> Int {
    let listings = try transaction.listings(ItemQuery(listID: list.id, checked: .any))
      .filter { $0.item.createdAt <= latest }
    for listing in listings { _ = try delete(listing) }
    return listings.count
  }
}
