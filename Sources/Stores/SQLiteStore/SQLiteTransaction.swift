import BelfryCore
import CSQLite
import Foundation
import GRDB

/// The store as one transaction sees it.
final class SQLiteTransaction: StoreTransaction {
  let database: Database
  private let statements: SQLStatements
  /// What the transaction knows of the numbers to give, so that a thousand new items do not ask for each.
  var numbers = Numbers()

  init(database: Database, statements: SQLStatements) {
    self.database = database
    self.statements = statements
  }

  /// Begins a transaction, and commits it unless `body` throws.
  static func run<Result>(
    _ beginning: String, in database: Database, with statements: SQLStatements,
    _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    let transaction = SQLiteTransaction(database: database, statements: statements)
    try transaction.execute(beginning)
    do {
      let result = try body(transaction)
      try transaction.writeNumbers()
      // A full disk may have ended it already: what came after that would be kept by itself.
      guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      try transaction.execute("COMMIT")
      return result
    } catch {
      if database.isInsideTransaction { try? transaction.execute("ROLLBACK") }
      throw error
    }
  }

  func execute<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws {
    try SQLStatement(statements.statement(sql, in: database), repeat each values).run { _ in }
  }

  func forEachRow<each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, body: (SQLRow) throws -> Void
  ) throws {
    try SQLStatement(statements.statement(sql, in: database), repeat each values).run(body)
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
    try SQLStatement(statements.statement(sql, in: database), repeat each values).first(make)
  }

  func integer<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws -> Int64 {
    try firstRow(sql, repeat each values) { try $0.at(0) as Int64 } ?? 0
  }
}
