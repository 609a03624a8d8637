import BelfryCore
import Foundation
import GRDB

/// The store as one transaction sees it.
struct SQLiteTransaction: StoreTransaction {
  let database: Database

  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    let statement = try database.cachedStatement(sql: sql)
    try statement.execute(arguments: arguments)
  }

  func forEachRow(
    _ sql: String, _ arguments: StatementArguments = [], _ body: (Row) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    while let row = try rows.next() { try body(row) }
  }

  func rows<Element>(
    _ sql: String, _ arguments: StatementArguments = [], _ make: (Row) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEachRow(sql, arguments) { elements.append(try make($0)) }
    return elements
  }

  func firstRow<Element>(
    _ sql: String, _ arguments: StatementArguments = [], _ make: (Row) throws -> Element
  ) throws -> Element? {
    let statement = try database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    // The row reads from the statement, which the cursor resets when it goes.
    return try withExtendedLifetime(rows) { try rows.next().map(make) }
  }

  func integer(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
    try firstRow(sql, arguments) { try $0.at(0) as Int64 } ?? 0
  }

  // MARK: Zone

  func plannedZone() throws -> String? {
    try firstRow("SELECT value FROM meta WHERE key = 'zone'") { try $0.at(0) }
  }

  func setPlannedZone(_ identifier: String) throws {
    try execute(
      "INSERT INTO meta VALUES ('zone', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [identifier])
  }

  // MARK: Numbers

  /// The next number of a counter, which it never gives again.
  func nextNumber(_ counter: String) throws -> Int64 {
    let number = max(1, try integer("SELECT value FROM meta WHERE key = ?", [counter]))
    try execute("UPDATE meta SET value = ? WHERE key = ?", [number + 1, counter])
    return number
  }

  /// Keeps a counter ahead of a number that came from elsewhere.
  func reserve(_ number: Int64, _ counter: String) throws {
    try execute("UPDATE meta SET value = max(value, ?) WHERE key = ?", [number + 1, counter])
  }
}

extension Row {
  /// A column's value. Row's subscripts trap where a damaged table holds something else; this throws.
  func at<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}

extension Date {
  /// Whole seconds since 1970, as the tables keep instants.
  var stored: Int64 { Int64(timeIntervalSince1970.rounded(.down)) }

  init(stored: Int64) { self.init(timeIntervalSince1970: Double(stored)) }
}

extension FireDate {
  /// A fire date from its column; one that cannot be means a damaged table.
  init(stored: Int64) throws {
    do {
      self = try FireDate(Date(stored: stored))
    } catch {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a stored fire date is none: \(error)")
    }
  }
}

extension UUID {
  var stored: Data { withUnsafeBytes(of: uuid) { Data($0) } }

  init(stored: Data) throws {
    guard stored.count == 16 else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a stored identity has \(stored.count) bytes, not 16")
    }
    self = stored.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
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
