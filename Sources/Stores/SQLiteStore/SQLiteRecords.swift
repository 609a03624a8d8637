import BelfryEngine
import BelfryModel
import FoundationEssentials
import OrderedJSON

extension SQLiteTransaction {
  func visitRecords(_ body: (StoreRecord) throws -> Void) throws {
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

  // The tables are documented for reading only, so nobody expects edits in them to be planned: only a store that mirrors
  // files in them notes here that these were edited.
  func editedElsewhere() throws -> Date? {
    try firstRow("SELECT value FROM meta WHERE key = 'edited_at'") { Date(stored: try $0.at(0)) }
  }

  func editFaults() throws -> [String] {
    let text = try firstRow("SELECT value FROM meta WHERE key = 'edit_faults'") { try $0.at(0) as String }
    return text.map { $0.split(separator: "\n").map(String.init) } ?? []
  }

  func acknowledgeEdits() throws { try execute("DELETE FROM meta WHERE key = 'edited_at'") }

  func undoRecord() throws -> UndoRecord? {
    try firstRow(
      """
      SELECT made.value, content.value FROM meta AS made JOIN meta AS content
      WHERE made.key = 'undo_at' AND content.key = 'undo'
      """
    ) { UndoRecord(date: Date(stored: try $0.at(0)), content: try $0.at(1)) }
  }

  func keep(_ undo: UndoRecord?) throws {
    guard let undo else { return try execute("DELETE FROM meta WHERE key IN ('undo', 'undo_at')") }
    try execute(
      "INSERT OR REPLACE INTO meta VALUES ('undo_at', ?), ('undo', ?)", undo.date.stored, undo.content)
  }

  private func counters() throws -> StoreCounters {
    var counters = try StoreCounters(
      plannedZone: plannedZone(), nextItemID: nextItemID(),
      nextListID: counter("next_list_id"),
      nextDeliveryID: nextNumber(in: "delivery"), nextAnswerID: nextNumber(in: "answer"),
      nextPersonNumber: nextNumber(in: "person"))
    let unknown = try firstRow("SELECT value FROM meta WHERE key = 'unknown'") { try $0.at(0) as String }
    counters.unknown = try UnknownFields(stored: unknown, of: StoreHead.kind)
    return counters
  }

  /// The next number that a table gives.
  func nextNumber(in table: String) throws -> Int64 {
    max(1, try integer("SELECT seq + 1 FROM sqlite_sequence WHERE name = ?", table))
  }

  func counts() throws -> StoreCounts {
    var counts = StoreCounts()
    counts.lists = Int(try integer("SELECT count(*) FROM list"))
    counts.items = Int(try integer("SELECT count(*) FROM item"))
    counts.unchecked = Int(try integer("SELECT count(*) FROM item WHERE is_checked = 0"))
    counts.scheduled = Int(try integer("SELECT count(*) FROM reminder WHERE state = 0"))
    for state in Delivery.State.allCases {
      let count = try integer("SELECT count(*) FROM delivery WHERE state = ?", state.rawValue)
      if count > 0 { counts.deliveries[state] = Int(count) }
    }
    return counts
  }

  func removeEverything() throws {
    let tables = [
      "answer", "attempt", "sink_problem", "sink_inbox", "delivery", "message_owner", "message", "reminder", "item",
      "list", "person", "sqlite_sequence",
    ]
    for table in tables { try execute("DELETE FROM \(table)") }
    try execute("DELETE FROM meta WHERE key IN ('zone', 'unknown', 'undo', 'undo_at', 'edited_at')")
    try restore(.counters(StoreCounters()))
  }

  func restore(_ record: StoreRecord) throws {
    try record.requireNumber()
    switch record {
    case .counters(let counters): try restore(counters)
    case .list(let list):
      try execute(
        "INSERT INTO list (id, uuid, name, name_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
        list.id, list.uuid, list.name, Checklist.nameKey(list.name), list.createdAt.stored, list.updatedAt.stored)
      try update(list)
      try reserveListID(list.id)
    case .item(let item): try insert(item)
    case .reminder(let reminder): try put(reminder)
    case .message(let message): _ = try insert(message)
    case .delivery(let delivery): try insert(delivery)
    case .attempt(let attempt): try add(attempt)
    case .problem(let problem): try put(problem)
    case .answer(let answer): try insert(answer, as: answer.id)
    case .inbox(let inbox): try put(inbox)
    case .person(let person): try insert(person)
    }
  }

  private func restore(_ counters: StoreCounters) throws {
    if let zone = counters.plannedZone { try setPlannedZone(zone) }
    if let unknown = counters.unknown { try execute("INSERT INTO meta VALUES ('unknown', ?)", unknown.object) }
    numbers = Numbers(nextItemID: counters.nextItemID, isItemIDTaken: true)
    try execute("UPDATE meta SET value = ? WHERE key = 'next_list_id'", counters.nextListID)
    try execute("DELETE FROM sqlite_sequence")
    try execute(
      "INSERT INTO sqlite_sequence (name, seq) VALUES ('delivery', ?), ('answer', ?), ('person', ?)",
      counters.nextDeliveryID - 1, counters.nextAnswerID - 1, counters.nextPersonNumber - 1)
  }

  private func insert(_ delivery: Delivery) throws {
    let message = try firstRow("SELECT id FROM message WHERE uuid = ?", delivery.messageID) { try $0.at(0) as Int64 }
    guard let message else {
      throw BelfryError(.internalError, "delivery \(delivery.id) was to be kept without its message")
    }
    try execute(
      "INSERT INTO delivery VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      delivery.id, message, delivery.sink, delivery.recipient, delivery.fireDate.secondsSinceEpoch,
      delivery.state.rawValue, delivery.attempts, delivery.permittedFrom.stored,
      delivery.nextAttemptAt?.timeIntervalSince1970, delivery.lastAttemptAt?.stored, delivery.closedAt?.stored,
      delivery.lastError, delivery.unknown?.object)
  }
}

extension UnknownFields {
  /// The fields from their column; `nil` where it is NULL.
  init?(stored object: String?, of kind: @autoclosure () -> RecordKind) throws {
    guard let object else { return nil }
    do throws(FormFault) {
      try self.init(object: object, of: kind())
    } catch {
      throw StoredValueFault("unknown fields that are no JSON object: \(error.message)")
    }
  }
}
