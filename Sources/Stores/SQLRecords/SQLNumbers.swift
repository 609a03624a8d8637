import BelfryModel

/// The counters of a store as far as a transaction has read or raised them, and the positions that it knows.
package struct SQLNumbers {
  /// A counter: the lowest number that nothing of its kind has ever had.
  package enum Counter: Int, CaseIterable {
    case item
    case list
    case message
    case delivery
    case answer
    case person

    /// The note that keeps it.
    package var note: SQLNote {
      switch self {
      case .item: .nextItemID
      case .list: .nextListID
      case .message: .nextMessageID
      case .delivery: .nextDeliveryID
      case .answer: .nextAnswerID
      case .person: .nextPersonNumber
      }
    }
  }

  private var stored = [Int64?](repeating: nil, count: Counter.allCases.count)
  private var next = [Int64?](repeating: nil, count: Counter.allCases.count)
  /// True if the counters were set, and not only raised.
  package private(set) var isRestored = false
  /// The next positions of lists, as far as they are known.
  var endPositions: [Int64: Int64] = [:]

  package init() {}

  /// The value of a counter; `nil` if it has not been read.
  package subscript(counter: Counter) -> Int64? { next[counter.rawValue] }

  /// Notes the value that a counter has in the tables.
  package mutating func note(_ value: Int64, of counter: Counter) {
    stored[counter.rawValue] = value
    next[counter.rawValue] = value
  }

  /// The value of a counter if it differs from the one in the tables; otherwise `nil`.
  package func change(of counter: Counter) -> Int64? {
    next[counter.rawValue] == stored[counter.rawValue] ? nil : next[counter.rawValue]
  }

  fileprivate mutating func raise(_ counter: Counter, to value: Int64) { next[counter.rawValue] = value }

  /// Sets the counters, apart from that of messages, which only this store has.
  mutating func restore(_ counters: StoreCounters) {
    next[Counter.item.rawValue] = counters.nextItemID
    next[Counter.list.rawValue] = counters.nextListID
    next[Counter.delivery.rawValue] = counters.nextDeliveryID
    next[Counter.answer.rawValue] = counters.nextAnswerID
    next[Counter.person.rawValue] = counters.nextPersonNumber
    isRestored = true
    endPositions.removeAll()
  }
}

extension SQLTransaction {
  /// The value of a counter.
  func next(_ counter: SQLNumbers.Counter) throws -> Int64 {
    if let known = numbers[counter] { return known }
    guard let value: Int64 = try note(counter.note) else {
      throw StoredValueFault("the counter \(counter.note.rawValue) is not there")
    }
    numbers.note(value, of: counter)
    return value
  }

  /// Takes the next number of a counter, which is never given again.
  func take(_ counter: SQLNumbers.Counter) throws -> Int64 {
    let number = try next(counter)
    guard number < .max else { throw BelfryError(.storeFailed, "the store has no numbers left") }
    numbers.raise(counter, to: number + 1)
    return number
  }

  /// Raises a counter above a number.
  func reserve(_ number: Int64, _ counter: SQLNumbers.Counter) throws {
    guard try next(counter) <= number else { return }
    numbers.raise(counter, to: number < .max ? number + 1 : number)
  }

  package func endPosition(listID: Int64) throws -> Int64 {
    if let known = numbers.endPositions[listID] { return known }
    // Each half is the end of an index.
    let last = try integer(
      """
      SELECT coalesce(max(position), 0) FROM (
        SELECT max(position) AS position FROM item WHERE list_id = ?1 AND is_checked = FALSE
        UNION ALL SELECT max(position) FROM item WHERE list_id = ?1 AND is_checked = TRUE) AS ends
      """, listID)
    guard last < .max else { throw StoredValueFault("table item: a position is too large to be followed by another") }
    let end = max(1, last + 1)
    numbers.endPositions[listID] = end
    return end
  }

  package func changeNumber() throws -> Int64? { try note(.changes) ?? 0 }

  package func plannedZone() throws -> String? { try note(.zone) }

  package func setPlannedZone(_ identifier: String) throws { try execute(dialect.writing([.zone]), identifier) }

  /// The value of a note; `nil` if there is none.
  func note<Value: SQLColumn>(_ note: SQLNote) throws -> Value? {
    guard let sql = dialect.reading(note) else { return nil }
    return try firstRow(sql) { try $0.at(0) as Value? } ?? nil
  }
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
