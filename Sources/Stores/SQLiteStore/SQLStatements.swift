import CSQLite
import GRDB

/// The statements that were prepared for a connection, each once, by their texts.
///
/// Used inside the calls of the queue that owns the connection, and so never by two threads at once.
final class SQLStatements: @unchecked Sendable {
  private var prepared: [Text: Statement] = [:]

  // There are a few dozen texts, most of them constants: their lengths tell them apart, and comparing one with itself
  // takes no time, while hashing the whole of each would.
  private struct Text: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
  }

  /// The statement for a text; another one where the same text is being run further up.
  func statement(_ sql: String, in database: Database) throws -> Statement {
    if let known = prepared[Text(sql: sql)] {
      guard sqlite3_stmt_busy(known.sqliteStatement) != 0 else { return known }
      return try database.makeStatement(sql: sql)
    }
    let statement = try database.makeStatement(sql: sql)
    prepared[Text(sql: sql)] = statement
    return statement
  }
}
