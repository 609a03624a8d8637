import FoundationEssentials
import SQLRecords
import SQLiteStore

/// The events that a file holds besides its main one: changed occurrences with alarms or a text of their own.
extension Mirror {
  static let apartSchema = """
    CREATE TABLE vdir_apart (uuid BLOB PRIMARY KEY, path TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX vdir_apart_path ON vdir_apart (path);
    """

  /// The file that holds this event as a changed occurrence of the file's main event.
  func fileApart(of uuid: UUID) throws -> File? {
    let path = try database.statement("SELECT path FROM vdir_apart WHERE uuid = ?").first(uuid) {
      try $0.at(0) as String
    }
    return try path.flatMap(file(at:))
  }

  /// The events that a file holds besides its main one.
  func apart(at path: String) throws -> [UUID] {
    var found: [UUID] = []
    try database.statement("SELECT uuid FROM vdir_apart WHERE path = ?").run(path) { found.append(try $0.at(0)) }
    return found
  }

  /// Notes that a file holds an event besides its main one.
  func putApart(_ uuid: UUID, at path: String) throws {
    try database.statement("INSERT OR REPLACE INTO vdir_apart VALUES (?, ?)").run(uuid, path) { _ in }
  }

  /// Forgets that a file holds an event besides its main one.
  func removeApart(_ uuid: UUID) throws {
    try database.statement("DELETE FROM vdir_apart WHERE uuid = ?").run(uuid) { _ in }
  }

  /// Notes that a file has moved.
  func moveApart(from path: String, to other: String) throws {
    try database.statement("UPDATE vdir_apart SET path = ?2 WHERE path = ?1").run(path, other) { _ in }
  }
}
