import BelfryEngine
import BelfryModel
import FoundationEssentials
import OrderedJSON

extension SQLTransaction {
  package func forEachRecord(_ body: (StoreRecord) throws -> Void) throws {
    try body(.counters(counters()))
    for list in try lists() { try body(.list(list)) }
    try visitItemsByNumber { try body(.item($0)) }
    try visitReminders { try body(.reminder($0)) }
    try visitMessages { try body(.message($0)) }
    try visitDeliveriesByNumber { try body(.delivery($0)) }
    try visitAttempts { try body(.attempt($0)) }
    for problem in try sinkProblems() { try body(.problem(problem)) }
    try visitAnswersByNumber { try body(.answer($0)) }
    for inbox in try inboxes() { try body(.inbox(inbox)) }
    for person in try people() { try body(.person(person)) }
  }

  /// Passes on the records that can still be read to the copy that replaces the store; see ``forEachRecord(_:)``.
  package func remains() -> StoreRemains {
    var remains = StoreRemains()
    // Each counter separately: tables of earlier versions have fewer.
    var counters = StoreCounters()
    func read(_ counter: SQLNumbers.Counter, _ place: WritableKeyPath<StoreCounters, Int64>) -> Bool {
      guard let number = try? next(counter) else { return false }
      counters[keyPath: place] = number
      return true
    }
    remains.hasNumbers = read(.item, \.nextItemID)
    for (counter, place) in [
      (SQLNumbers.Counter.list, \StoreCounters.nextListID), (.delivery, \.nextDeliveryID), (.answer, \.nextAnswerID),
      (.person, \.nextPersonNumber),
    ] { _ = read(counter, place) }
    remains.add(.counters(counters))

    func read(_ visit: (_ body: (StoreRecord) -> Void) throws -> Void) -> Bool {
      var isWhole = true
      do {
        try readingPastFaults({ _ in isWhole = false }) { try visit { remains.add($0) } }
      } catch {
        isWhole = false
      }
      return isWhole
    }
    if !remains.hasNumbers { _ = read { body in try visitItemsByNumber { body(.item($0)) } } }
    let parts = [
      read { body in for list in try lists() { body(.list(list)) } },
      read { body in try visitReminders { body(.reminder($0)) } },
      read { body in try visitMessages { body(.message($0)) } },
      read { body in try visitDeliveriesByNumber { body(.delivery($0)) } },
      read { body in try visitAttempts { body(.attempt($0)) } },
      read { body in for inbox in try inboxes() { body(.inbox(inbox)) } },
      read { body in for person in try people() { body(.person(person)) } },
    ]
    remains.hasReminders = parts.allSatisfy(\.self)
    return remains
  }

  // The tables are documented for reading only, so edits in them are not planned. Only a store that mirrors files in
  // them notes here that the files were edited.
  package func editedElsewhere() throws -> Date? {
    (try note(.editedAt) as Int64?).map(Date.init(stored:))
  }

  package func editedItems() throws -> [Int64]? {
    (try note(.editedItems) as String?).map { $0.split(separator: " ").compactMap { Int64($0) } }
  }

  package func editFaults() throws -> [String] { try [delay].compactMap(\.self) + sentences(.editFaults) }

  package func editNotes() throws -> [String] { try sentences(.editNotes) }

  private func sentences(_ kind: SQLNote) throws -> [String] {
    (try note(kind) as String?).map { $0.split(separator: "\n").map(String.init) } ?? []
  }

  package func acknowledgeEdits() throws {
    if try editedElsewhere() != nil { try execute(dialect.removing([.editedAt, .editedItems])) }
  }

  package func undoRecords(_ direction: UndoRecord.Direction) throws -> [UndoRecord] {
    try rows("SELECT made_at, content FROM undo WHERE is_redo = ? ORDER BY id DESC", direction == .redo) { row in
      try UndoRecord(date: Date(stored: row.at(0)), content: row.at(1), direction: direction)
    }
  }

  package func add(_ undo: UndoRecord) throws {
    try execute(
      """
      INSERT INTO undo (id, is_redo, made_at, content) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM undo), ?, ?, ?)
      """, undo.direction == .redo, undo.date.stored, undo.content)
    try execute(
      "DELETE FROM undo WHERE id <= (SELECT id FROM undo ORDER BY id DESC LIMIT 1 OFFSET \(UndoRecord.mostKept))")
  }

  package func remove(_ undo: UndoRecord) throws {
    try execute(
      "DELETE FROM undo WHERE id = (SELECT max(id) FROM undo WHERE is_redo = ? AND made_at = ? AND content = ?)",
      undo.direction == .redo, undo.date.stored, undo.content)
  }

  package func isDone(request: String) throws -> Bool {
    try firstRow("SELECT 1 FROM request WHERE id = ?", request) { try $0.at(0) as Int64 } != nil
  }

  package func note(request: String, at now: Date, forgettingUntil cutoff: Date) throws {
    try execute("DELETE FROM request WHERE done_at <= ?", cutoff.stored)
    try execute("INSERT INTO request (id, done_at) VALUES (?, ?)", request, now.stored)
  }

  package func counters() throws -> StoreCounters {
    var counters = try StoreCounters(
      plannedZone: plannedZone(), nextItemID: next(.item), nextListID: next(.list), nextDeliveryID: next(.delivery),
      nextAnswerID: next(.answer), nextPersonNumber: next(.person))
    counters.unknown = try UnknownFields(stored: note(.unknown), of: StoreHead.kind)
    return counters
  }

  package func counts() throws -> StoreCounts {
    var counts = StoreCounts()
    counts.lists = Int(try integer("SELECT count(*) FROM list"))
    counts.items = Int(try integer("SELECT count(*) - (SELECT count(*) FROM item WHERE is_event) FROM item"))
    counts.unchecked = try uncheckedCount(listID: nil, dueBefore: nil)
    counts.scheduled = Int(try integer("SELECT count(*) FROM reminder WHERE state = 0"))
    for state in Delivery.State.allCases {
      let count = try integer("SELECT count(*) FROM delivery WHERE state = ?", state.rawValue)
      if count > 0 { counts.deliveries[state] = Int(count) }
    }
    return counts
  }

  package func removeEverything() throws {
    let tables = [
      "answer", "attempt", "sink_problem", "sink_inbox", "delivery", "message_owner", "message", "reminder", "item",
      "list", "person", "request", "undo",
    ]
    for table in tables { try execute("DELETE FROM \(table)") }
    try execute(dialect.removing([.zone, .unknown, .editedAt]))
    try restore(.counters(StoreCounters()))
  }

  package func restore(_ record: StoreRecord) throws {
    try record.requireNumber()
    switch record {
    case .counters(let counters): try restore(counters)
    case .list(let list):
      try execute(
        "INSERT INTO list (id, uuid, name, name_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
        list.id, list.uuid, list.name, Checklist.nameKey(list.name), list.createdAt.stored, list.updatedAt.stored)
      try update(list)
      try reserve(list.id, .list)
    case .item(let item): try insert(item)
    case .reminder(let reminder): try put(reminder)
    case .message(let message): _ = try insert(message)
    case .delivery(let delivery): try insert(delivery)
    case .attempt(let attempt): try add(attempt)
    case .problem(let problem): try put(problem)
    case .answer(let answer): try insert(answer)
    case .inbox(let inbox): try put(inbox)
    case .person(let person): try insert(person)
    }
  }

  private func restore(_ counters: StoreCounters) throws {
    if let zone = counters.plannedZone { try setPlannedZone(zone) }
    if let unknown = counters.unknown { try execute(dialect.writing([.unknown]), unknown.object) }
    numbers.restore(counters)
  }

  private func insert(_ delivery: Delivery) throws {
    let message = try firstRow("SELECT id FROM message WHERE uuid = ?", delivery.messageID) { try $0.at(0) as Int64 }
    guard let message else {
      throw BelfryError(.internalError, "delivery \(delivery.id) has no message")
    }
    try reserve(delivery.id, .delivery)
    try execute(
      """
      INSERT INTO delivery (
        id, message_id, sink, recipient, fire_date, state, attempts, permitted_from, next_attempt_at, last_attempt_at,
        closed_at, last_error, awaits_follow_up, unknown)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      delivery.id, message, delivery.sink, delivery.recipient, delivery.fireDate.secondsSinceEpoch,
      delivery.state.rawValue, delivery.attempts, delivery.permittedFrom.stored,
      delivery.nextAttemptAt?.timeIntervalSince1970, delivery.lastAttemptAt?.stored, delivery.closedAt?.stored,
      delivery.lastError, delivery.awaitsFollowUp, delivery.unknown?.object)
  }
}

extension UnknownFields {
  /// The fields from their column; `nil` if it is NULL.
  init?(stored object: String?, of kind: @autoclosure () -> RecordKind) throws {
    guard let object else { return nil }
    do throws(FormFault) {
      try self.init(object: object, of: kind())
    } catch {
      throw StoredValueFault("unknown fields that are not a JSON object: \(error.message)")
    }
  }
}
