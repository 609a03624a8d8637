import BelfryModel

/// The numbers and positions assigned by a transaction and not yet in the tables.
struct Numbers {
  /// The lowest number that no item has ever had; `nil` until it is needed.
  var nextItemID: Int64?
  /// True if the counter must be written before the commit.
  var isItemIDTaken = false
  /// The next positions of lists, as far as they are known.
  var endPositions: [Int64: Int64] = [:]
}

extension SQLiteTransaction {
  func nextItemID() throws -> Int64 {
    if let known = numbers.nextItemID { return known }
    let next = try counter("next_item_id")
    numbers.nextItemID = next
    return next
  }

  /// The value of a counter, which every store has.
  func counter(_ key: String) throws -> Int64 {
    guard let value = try firstRow("SELECT value FROM meta WHERE key = ?", key, make: { try $0.at(0) as Int64 }) else {
      throw StoredValueFault("table meta: the row \(key) is not there")
    }
    return value
  }

  func endPosition(listID: Int64) throws -> Int64 {
    if let known = numbers.endPositions[listID] { return known }
    let end = try integer(
      """
      SELECT max(
        coalesce((SELECT max(position) FROM item WHERE list_id = ?1 AND is_checked = 0), 0),
        coalesce((SELECT max(position) FROM item WHERE list_id = ?1 AND is_checked = 1), 0)) + 1
      """, listID)
    numbers.endPositions[listID] = end
    return end
  }

  /// Raises the items' counter above a number.
  func reserveItemID(_ id: Int64) throws {
    numbers.nextItemID = max(try nextItemID(), id < .max ? id + 1 : id)
    numbers.isItemIDTaken = true
  }

  /// Writes the items' counter, once for all items of the transaction.
  func writeNumbers() throws {
    guard numbers.isItemIDTaken, let next = numbers.nextItemID else { return }
    try execute("UPDATE meta SET value = ? WHERE key = 'next_item_id'", next)
  }

  /// The next number of a list, which is never reused.
  func takeListID() throws -> Int64 {
    let id = try counter("next_list_id")
    guard id < .max else { throw BelfryError(.storeFailed, "the store has no numbers left") }
    try reserveListID(id)
    return id
  }

  /// Raises the lists' counter above a number.
  func reserveListID(_ id: Int64) throws {
    try execute("UPDATE meta SET value = max(value, ?) WHERE key = 'next_list_id'", id + 1)
  }

  // MARK: Changes

  func changeNumber() throws -> Int64? {
    try firstRow("SELECT value FROM meta WHERE key = 'changes'") { try $0.at(0) } ?? 0
  }

  func raiseChangeNumber() throws {
    try execute("INSERT INTO meta VALUES ('changes', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1")
  }

  // MARK: Zone

  func plannedZone() throws -> String? {
    try firstRow("SELECT value FROM meta WHERE key = 'zone'") { try $0.at(0) }
  }

  func setPlannedZone(_ identifier: String) throws {
    try execute(
      "INSERT INTO meta VALUES ('zone', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", identifier)
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
