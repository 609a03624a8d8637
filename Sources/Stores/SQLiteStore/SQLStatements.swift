import CSQLite
import GRDB

/// The statements that were prepared for a connection, each once, by their texts.
///
/// Used inside the calls of the queue that owns the connection, and so never by two threads at once.
final class SQLStatements: @unchecked Sendable {
  private var prepared: [(sql: String, statement: Statement)] = []

  /// The statement for a text; another one where the same text is being run further up.
  func statement(_ sql: String, in database: Database) throws -> Statement {
    // There are a few dozen texts, most of them constants: their lengths tell them apart sooner than a hash of each.
    let length = sql.utf8.count
    if let (_, known) = prepared.first(where: { $0.sql.utf8.count == length && $0.sql == sql }) {
      guard sqlite3_stmt_busy(known.sqliteStatement) != 0 else { return known }
      return try database.makeStatement(sql: sql)
    }
    let statement = try database.makeStatement(sql: sql)
    prepared.append((sql, statement))
    return statement
  }

  /// Forgets all of them, so that the connection can be closed.
  func removeAll() { prepared = [] }
}
