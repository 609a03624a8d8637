import BelfryEngine
import SQLRecords

/// Transactions on a SQLite database.
enum SQLiteTransaction {
  /// Runs `body` in a transaction, and commits it unless `body` throws.
  static func run<Result>(
    _ beginning: String, in database: Database, _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    try database.transaction(beginning) {
      let transaction = SQLTransaction(database, SQLiteDialect())
      let changes = database.allChangesCount
      let result = try body(transaction)
      try finish(transaction)
      if database.allChangesCount != changes {
        try transaction.execute(
          "INSERT INTO meta VALUES ('changes', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1")
      }
      return result
    }
  }

  /// The records that can be read of a database that may be damaged.
  static func remains(of database: Database) -> StoreRemains { SQLTransaction(database, SQLiteDialect()).remains() }

  /// Moves properties of items of earlier versions into their fields; see ``SQLTransaction/takeFields()``.
  static func takeFields(in database: Database) throws {
    try SQLTransaction(database, SQLiteDialect()).takeFields()
  }

  // Writes the counters, once for all records of the transaction. SQLite raises those of tables by itself.
  private static func finish(_ transaction: SQLTransaction) throws {
    let numbers = transaction.numbers
    for counter in [SQLNumbers.Counter.item, .list] {
      guard let value = numbers.change(of: counter) else { continue }
      try transaction.execute("UPDATE meta SET value = ? WHERE key = ?", value, counter.note.rawValue)
    }
    guard numbers.isRestored else { return }
    try transaction.execute("DELETE FROM sqlite_sequence")
    for (table, counter) in [("delivery", SQLNumbers.Counter.delivery), ("answer", .answer), ("person", .person)] {
      try transaction.execute(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, (numbers[counter] ?? 1) - 1)
    }
  }
}

/// The statements of SQLite, which keeps notes in the table `meta`.
private struct SQLiteDialect: SQLDialect {
  let no = "0"
  let beginning: String? = nil
  let attemptable: String? = nil
  let begun: String? = nil

  func reading(_ note: SQLNote) -> String? {
    switch note {
    case .nextMessageID: "SELECT coalesce(max(id), 0) + 1 FROM message"
    case .nextDeliveryID: sequence("delivery")
    case .nextAnswerID: sequence("answer")
    case .nextPersonNumber: sequence("person")
    default: "SELECT value FROM meta WHERE key = '\(note.rawValue)'"
    }
  }

  private func sequence(_ table: String) -> String {
    "SELECT max(1, coalesce(max(seq), 0) + 1) FROM sqlite_sequence WHERE name = '\(table)'"
  }

  func writing(_ notes: [SQLNote]) -> String {
    let rows = notes.map { "('\($0.rawValue)', ?)" }.joined(separator: ", ")
    return "INSERT OR REPLACE INTO meta VALUES \(rows)"
  }

  func removing(_ notes: [SQLNote]) -> String {
    "DELETE FROM meta WHERE key IN (\(notes.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }
}
