import BelfryModel

/// The counters of a store, and the positions that a transaction knows.
struct Numbers {
  /// The counters: the lowest numbers that nothing has ever had.
  struct Counters: Equatable {
    var item: Int64 = 0
    var list: Int64 = 1
    var message: Int64 = 1
    var delivery: Int64 = 1
    var answer: Int64 = 1
    var person: Int64 = 1
  }

  /// Their columns, in the order of ``init(_:from:)``.
  static let columns =
    "next_item_id, next_list_id, next_message_id, next_delivery_id, next_answer_id, next_person_number"

  /// The counters.
  var next: Counters
  /// The counters in the table.
  private(set) var stored: Counters
  /// The next positions of lists, as far as they are known.
  var endPositions: [Int64: Int64] = [:]

  /// The counters in a row, from this column on.
  init(_ row: SQLRow, from first: Int) throws {
    next = try Counters(
      item: row.at(first), list: row.at(first + 1), message: row.at(first + 2), delivery: row.at(first + 3),
      answer: row.at(first + 4), person: row.at(first + 5))
    stored = next
  }

  /// Gives the next number of a counter, which is never given again.
  mutating func take(_ counter: WritableKeyPath<Counters, Int64>) throws -> Int64 {
    let number = next[keyPath: counter]
    guard number < .max else { throw BelfryError(.storeFailed, "the store has no numbers left") }
    next[keyPath: counter] = number + 1
    return number
  }

  /// Raises a counter above a number.
  mutating func reserve(_ number: Int64, _ counter: WritableKeyPath<Counters, Int64>) {
    next[keyPath: counter] = max(next[keyPath: counter], number < .max ? number + 1 : number)
  }
}

extension PostgresTransaction {
  func nextItemID() -> Int64 { numbers.next.item }

  func endPosition(listID: Int64) throws -> Int64 {
    if let known = numbers.endPositions[listID] { return known }
    let last = try integer("SELECT coalesce(max(position), 0) FROM item WHERE list_id = ?", listID)
    guard last < .max else { throw StoredValueFault("table item: a position that none can follow") }
    let end = max(1, last + 1)
    numbers.endPositions[listID] = end
    return end
  }

  /// Writes the counters, and the number of changes if rows were changed.
  func finish(changesBefore changes: Int) throws {
    let next = numbers.next
    guard connection.changes != changes || next != numbers.stored else { return }
    try execute(
      """
      UPDATE store SET next_item_id = ?, next_list_id = ?, next_message_id = ?, next_delivery_id = ?,
        next_answer_id = ?, next_person_number = ?, changes = changes + 1,
        changed_at = extract(epoch FROM clock_timestamp())::bigint
      """, next.item, next.list, next.message, next.delivery, next.answer, next.person)
  }

  func changeNumber() throws -> Int64? { try integer("SELECT changes FROM store") }

  // MARK: Zone

  func plannedZone() throws -> String? { try firstRow("SELECT zone FROM store") { try $0.at(0) as String? } ?? nil }

  func setPlannedZone(_ identifier: String) throws { try execute("UPDATE store SET zone = ?", identifier) }
}

extension ReminderOwner {
  var isList: Bool {
    if case .list = self { true } else { false }
  }

  var number: Int64 {
    switch self {
    case .item(let id), .list(let id): id
    }
  }

  init(isList: Bool, number: Int64) { self = isList ? .list(number) : .item(number) }
}
