import BelfryEngine
import BelfryModel
import FoundationEssentials

/// A transaction on a state in memory, with a record of its changes.
package final class StateTransaction: StoreTransaction {
  /// The state with the changes so far.
  package internal(set) var state: StoreState
  package internal(set) var indexes: StateIndexes
  /// The changes so far. Writing a record as it already is does not count.
  package internal(set) var changes = StateChanges()
  /// True if the transaction has acknowledged edits made outside Belfry.
  package internal(set) var hasAcknowledgedEdits = false
  /// The undo records after this transaction, if it changed them.
  package private(set) var undo: UndoTrail?
  private let number: Int64?
  private let edited: () -> Date?
  private let storedUndo: () -> UndoTrail

  /// A transaction that starts from a state.
  ///
  /// - Parameters:
  ///   - changeNumber: the number of the change that made the state, if changes have numbers.
  ///   - edited: the time of the last edit made outside Belfry and not yet acknowledged, if any.
  ///   - storedUndo: the undo records of earlier changes.
  package init(
    state: StoreState, indexes: StateIndexes = StateIndexes(), changeNumber: Int64? = nil,
    edited: @escaping () -> Date? = { nil }, storedUndo: @escaping () -> UndoTrail
  ) {
    self.state = state
    self.indexes = indexes
    number = changeNumber
    self.edited = edited
    self.storedUndo = storedUndo
  }

  package func savepoint<Output>(_ body: () throws -> Output) -> Result<Output, any Error> {
    let before = (state, indexes, changes, hasAcknowledgedEdits, undo)
    return Result {
      do {
        return try body()
      } catch {
        (state, indexes, changes, hasAcknowledgedEdits, undo) = before
        throw error
      }
    }
  }

  package func editedElsewhere() -> Date? { hasAcknowledgedEdits ? nil : edited() }

  package func changeNumber() -> Int64? { number }

  package func acknowledgeEdits() { hasAcknowledgedEdits = true }

  package func undoRecords(_ direction: UndoRecord.Direction) -> [UndoRecord] {
    (undo ?? storedUndo()).records.filter { $0.direction == direction }.reversed()
  }

  package func add(_ undo: UndoRecord) { changeUndo { $0.add(undo) } }

  package func remove(_ undo: UndoRecord) { changeUndo { $0.remove(undo) } }

  /// Forgets all undo records.
  func forgetUndo() { undo = UndoTrail() }

  private func changeUndo(_ change: (inout UndoTrail) -> Void) {
    let trail = undo ?? storedUndo()
    var changed = trail
    change(&changed)
    if changed != trail { undo = changed }
  }

  package func plannedZone() -> String? { state.plannedZone }

  package func setPlannedZone(_ identifier: String) {
    guard state.plannedZone != identifier else { return }
    state.plannedZone = identifier
    changes.head = true
  }

  package func sinkProblems() -> [SinkProblem] { state.problems.values.sorted { $0.sink < $1.sink } }

  package func put(_ problem: SinkProblem) {
    if state.problems.updateValue(problem, forKey: problem.sink) != problem { changes.head = true }
  }

  package func endProblem(ofSink sink: String) {
    if state.problems.removeValue(forKey: sink) != nil { changes.head = true }
  }

  package func inboxes() -> [SinkInbox] { state.inboxes.values.sorted { $0.sink < $1.sink } }

  package func put(_ inbox: SinkInbox) {
    if state.inboxes.updateValue(inbox, forKey: inbox.sink) != inbox { changes.head = true }
  }

  package func removeInbox(ofSink sink: String) {
    if state.inboxes.removeValue(forKey: sink) != nil { changes.head = true }
  }

  package func isDone(request: String) -> Bool { state.requests[request] != nil }

  package func note(request: String, at now: Date, forgettingUntil cutoff: Date) {
    state.requests = state.requests.filter { $0.value > cutoff }
    state.requests[request] = now
    changes.head = true
  }

  /// Takes the next number of a counter.
  func take(_ counter: WritableKeyPath<StoreState, Int64>) throws -> Int64 {
    let number = max(1, state[keyPath: counter])
    guard number < .max else { throw BelfryError(.storeFailed, "the store has no numbers left") }
    state[keyPath: counter] = number + 1
    changes.head = true
    return number
  }

  static func refuseDuplicate(_ isDuplicate: Bool, _ what: @autoclosure () -> String) throws {
    if isDuplicate { throw BelfryError(.internalError, "the store has \(what()) already") }
  }
}

// MARK: Lists

extension StateTransaction {
  package func lists() -> [Checklist] { state.lists.values.sorted(by: Checklist.isOrdered) }

  package func list(id: Int64) -> Checklist? { state.lists[id] }

  package func list(named name: String) -> Checklist? {
    let key = Checklist.nameKey(name)
    return state.lists.values.first { Checklist.nameKey($0.name) == key }
  }

  package func list(uuid: UUID) -> Checklist? { state.lists.values.first { $0.uuid == uuid } }

  package func listSummaries(of id: Int64?, now: Date) throws -> [ListSummary] {
    let lists = id.map { id in state.lists.filter { $0.key == id } } ?? state.lists
    var summaries = lists.mapValues {
      ListSummary(list: $0, items: 0, remaining: 0, overdue: 0, nextFireDate: nil)
    }
    for item in state.items.values where !item.isEvent {
      summaries[item.listID]?.items += 1
      if !item.isChecked { summaries[item.listID]?.remaining += 1 }
      if item.isOverdue(at: now) { summaries[item.listID]?.overdue += 1 }
    }
    for reminder in state.reminders.values where reminder.state == .scheduled {
      let listID =
        switch reminder.occurrence.owner {
        case .item(let id): state.items[id]?.listID
        case .list(let id): Optional(id)
        }
      guard let listID, let summary = summaries[listID] else { continue }
      summaries[listID]?.nextFireDate = min(summary.nextFireDate ?? reminder.fireDate, reminder.fireDate)
    }
    return summaries.values.sorted { Checklist.isOrdered($0.list, before: $1.list) }
  }

  package func addList(name: String, uuid: UUID, at now: Date) throws -> Checklist {
    try Self.refuseDuplicate(list(named: name) != nil, "a list '\(name)'")
    try Self.refuseDuplicate(list(uuid: uuid) != nil, "a list \(uuid)")
    let list = Checklist(id: try take(\.nextListID), uuid: uuid, name: name, createdAt: now, updatedAt: now)
    state.lists[list.id] = list
    changes.lists.insert(list.id)
    return list
  }

  package func update(_ list: Checklist) throws {
    guard let old = state.lists[list.id], old != list || !old.texts.haveSameBytes(as: list.texts) else { return }
    try Self.refuseDuplicate(self.list(named: list.name).map { $0.id != list.id } ?? false, "a list '\(list.name)'")
    state.lists[list.id] = list
    changes.lists.insert(list.id)
  }

  package func deleteList(id: Int64) throws {
    guard state.lists[id] != nil else { return }
    guard !state.items.values.contains(where: { $0.listID == id }) else {
      throw BelfryError(.internalError, "list \(id) cannot be deleted: it has items")
    }
    state.lists[id] = nil
    changes.lists.insert(id)
  }
}

extension Checklist {
  fileprivate var texts: [String?] { [name, icon?.text, reminder?.message, reminder?.category] }
}

extension [String?] {
  /// True if the texts have the same UTF-8 bytes; `==` also equates canonically equivalent texts.
  func haveSameBytes(as other: [String?]) -> Bool {
    elementsEqual(other) { ($0 == nil) == ($1 == nil) && ($0 ?? "").utf8.elementsEqual(($1 ?? "").utf8) }
  }
}
