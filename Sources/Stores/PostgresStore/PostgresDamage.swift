import SQLRecords

/// A check of the tables below the level of records.
struct PostgresDamage {
  let transaction: SQLTransaction
  let namespace: Int64?

  /// One sentence for each problem.
  ///
  /// - Throws: ``PostgresError`` for a table that cannot be read.
  func findings() throws -> [String] {
    let present = Set(
      try transaction.rows(
        "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = ?::bigint::oid", namespace
      ) { try $0.at(0) as String })
    var found = Schema.relations.filter { !present.contains($0) }.map { "there is no table or view \($0)" }
    guard found.isEmpty else { return found }
    found += try transaction.rows(
      """
      SELECT c.relname::text FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE c.relnamespace = ?::bigint::oid AND NOT (indisvalid AND indisready)
      """, namespace
    ) { "the index \(try $0.at(0) as String) is not valid: REINDEX makes it anew" }
    // Reading every row finds pages that the server cannot read.
    for relation in Schema.relations { _ = try transaction.integer("SELECT count(*) FROM \(relation)") }
    for (table, column, parent) in Self.references {
      found += try transaction.rows(
        "SELECT \(column) FROM \(table) WHERE NOT EXISTS (SELECT 1 FROM \(parent) WHERE id = \(column)) LIMIT 20"
      ) { "a row of the table \(table) refers to row \(try $0.at(0) as Int64), which is not in \(parent)" }
    }
    return found
  }

  private static let references = [
    ("item", "list_id", "list"), ("message_owner", "message_id", "message"), ("delivery", "message_id", "message"),
    ("attempt", "delivery_id", "delivery"),
  ]
}
