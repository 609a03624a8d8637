import BelfryEngine
import BelfryModel
import FoundationEssentials

/// A transaction on the database.
final class SQLiteTransaction: StoreTransaction {
  let database: Database
  /// The cached counters, so that a thousand new items do not query them each time.
  var numbers = Numbers()
  private var leaveOut: ((any RecordFault) -> Void)?

  init(database: Database) { self.database = database }

  /// Runs `body` in a transaction, and commits it unless `body` throws.
  static func run<Result>(
    _ beginning: String, in database: Database, _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    try database.transaction(beginning) {
      let transaction = SQLiteTransaction(database: database)
      let changes = database.allChangesCount
      let result = try body(transaction)
      try transaction.writeNumbers()
      if database.allChangesCount != changes { try transaction.raiseChangeNumber() }
      return result
    }
  }

  func execute<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws {
    try database.statement(sql).run(repeat each values) { _ in }
  }

  func forEachRow<each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, body: (SQLRow) throws -> Void
  ) throws {
    try database.statement(sql).run(repeat each values, leavingOut: leaveOut, body: body)
  }

  func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result {
    let outer = self.leaveOut
    self.leaveOut = leaveOut
    defer { self.leaveOut = outer }
    return try body()
  }

  func rows<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEachRow(sql, repeat each values) { elements.append(try make($0)) }
    return elements
  }

  func firstRow<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> Element? {
    try database.statement(sql).first(repeat each values, make: make)
  }

  func integer<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws -> Int64 {
    try firstRow(sql, repeat each values) { try $0.at(0) as Int64 } ?? 0
  }
}
