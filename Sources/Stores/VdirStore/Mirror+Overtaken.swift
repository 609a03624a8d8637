import SQLiteStore

extension Mirror {
  /// The statement that creates the table of overtaken changes: those of files that another program changed in the same
  /// moment. `lost` says what is lost of one; it is NULL until the file was read.
  static let overtakenSchema = """
    CREATE TABLE vdir_overtaken (path TEXT PRIMARY KEY, old BLOB, new BLOB, lost TEXT, lost_at INTEGER)
    """

  /// The seconds for which a lost change is told.
  private static let telling: Int64 = 86_400

  /// Notes that another program has overtaken a change.
  func putOvertaken(_ intent: Intent) throws {
    try database.statement("INSERT OR REPLACE INTO vdir_overtaken VALUES (?, ?, ?, NULL, NULL)").run(
      intent.path, intent.old, intent.new
    ) { _ in }
  }

  /// The overtaken changes of which nobody knows yet what is lost, by path.
  func overtaken() throws -> [Intent] {
    var intents: [Intent] = []
    try database.statement("SELECT path, old, new FROM vdir_overtaken WHERE lost IS NULL ORDER BY path").run { row in
      intents.append(try Intent(path: row.at(0), old: row.at(1), new: row.at(2)))
    }
    return intents
  }

  /// Notes what is lost of an overtaken change.
  ///
  /// - Parameter now: the time in seconds since 1970.
  func setLost(_ lost: String, at path: String, now: Int64) throws {
    let sql = "UPDATE vdir_overtaken SET old = NULL, new = NULL, lost = ?2, lost_at = ?3 WHERE path = ?1"
    try database.statement(sql).run(path, lost, now) { _ in }
  }

  /// The lost changes of the last day, one sentence each, by path.
  func lost(now: Int64) throws -> [String] {
    var sentences: [String] = []
    try database.statement("SELECT lost FROM vdir_overtaken WHERE lost_at > ? ORDER BY path").run(now - Self.telling) {
      sentences.append(try $0.at(0))
    }
    return sentences
  }

  /// Forgets an overtaken change.
  func removeOvertaken(_ path: String) throws {
    try database.statement("DELETE FROM vdir_overtaken WHERE path = ?").run(path) { _ in }
  }

  /// Forgets the lost changes of files that are changed again, if they were lost before a time.
  func forgetLost(_ paths: [String], before now: Int64) throws {
    for path in paths {
      try database.statement("DELETE FROM vdir_overtaken WHERE path = ? AND lost_at < ?").run(path, now) { _ in }
    }
  }

  /// Forgets the lost changes that were told for a day.
  func forgetLost(now: Int64) throws {
    try database.statement("DELETE FROM vdir_overtaken WHERE lost_at <= ?").run(now - Self.telling) { _ in }
  }
}
