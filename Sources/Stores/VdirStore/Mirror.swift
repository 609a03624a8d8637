import BelfryModel
import FoundationEssentials
import SQLRecords
import SQLiteStore

/// The tables that record the folder as it was last read or written, in addition to those of the SQLite store.
///
/// The SQLite store holds the lists and items themselves, with everything that a file cannot hold.
struct Mirror {
  /// A list and its folder.
  struct List {
    var folder: String
    var listID: Int64
    /// The bytes of `displayname`.
    var name: [UInt8]?
    /// The bytes of `color`.
    var color: [UInt8]?
    /// The time in seconds since 1970 at which the folder was first missing.
    var goneSince: Int64?
  }

  /// A file, without its content.
  struct File {
    var path: String
    /// Its mark when it was read; empty if it must be read again.
    var stamp = ""
    var changedAt: Int64 = 0
    /// The time of reading, in nanoseconds since 1970.
    var readAt: Int64 = 0
    /// The identity of its item; `nil` for a file without one.
    var uuid: UUID?
    /// The digest of the content last read.
    var digest: [UInt8] = []
    /// The reason why its present content is not used.
    var fault: String?
    /// The time in seconds since 1970 at which it was first missing.
    var goneSince: Int64?

    /// A change this soon before the file was read may be followed by another with the same times; in nanoseconds.
    static let doubt: Int64 = 2_000_000_000

    /// True if its content may differ from the content read although its mark is the same.
    var isDoubtful: Bool { changedAt >= readAt - Self.doubt }

    /// Its number among the settled files; `nil` if it must be checked by itself.
    var settled: Int64? {
      guard !isDoubtful, !digest.isEmpty, fault == nil, goneSince == nil else { return nil }
      return FileMark.Values(stamp).map { SettledFiles.number(PathHash(path.utf8), $0) }
    }

    /// The folder of its list.
    var folder: String { String(path.prefix { $0 != "/" }) }
  }

  /// A change of a file that has been decided and may not have been made.
  struct Intent {
    var id: Int64 = 0
    /// The path below the root.
    let path: String
    /// The content before; `nil` for none.
    let old: [UInt8]?
    /// The content after; `nil` for none.
    var new: [UInt8]?
  }

  let database: Database

  /// True if the tables are there, also those that came with later versions.
  func exists() throws -> Bool {
    try has("vdir_deleted") && has("vdir_snooze_ended") && hasColors() && has("vdir_apart")
      && has("vdir_answer_added") && has("vdir_file_settled") && has("vdir_overtaken")
  }

  /// Creates the missing tables.
  func make() throws {
    if try !has("vdir_file") { try database.execute(Self.schema) }
    if try !has("vdir_deleted") { try database.execute(Self.vanishedSchema) }
    if try !has("vdir_snooze_ended") { try database.execute(Self.snoozeSchema) }
    if try !has("vdir_answer_added") { try database.execute(Self.answerSchema) }
    if try !has("vdir_overtaken") { try database.execute(Self.overtakenSchema) }
    if try !has("vdir_apart") { try database.execute(Self.apartSchema) }
    if try !has("vdir_file_settled") {
      try database.execute(Self.settledSchema)
      for file in try files() { try update(file) }
    }
    if try !hasColors() { try database.execute("ALTER TABLE vdir_list ADD COLUMN color BLOB") }
  }

  private func hasColors() throws -> Bool {
    let sql = "SELECT 1 FROM pragma_table_info('vdir_list') WHERE name = 'color'"
    return try database.statement(sql).first { _ in true } ?? false
  }

  private func has(_ table: String) throws -> Bool {
    try database.statement("SELECT 1 FROM sqlite_schema WHERE name = ?").first(table) { _ in true } ?? false
  }

  // The triggers note the items and lists that a change touches, however it is made.
  private static let schema = """
    CREATE TABLE vdir_list (
      folder TEXT PRIMARY KEY, list_id INTEGER NOT NULL UNIQUE, name BLOB, gone_since INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE vdir_file (
      path TEXT PRIMARY KEY, stamp TEXT NOT NULL, changed_at INTEGER NOT NULL, read_at INTEGER NOT NULL, uuid BLOB,
      digest BLOB NOT NULL, fault TEXT, gone_since INTEGER, note TEXT, bytes BLOB
    );
    CREATE INDEX vdir_file_uuid ON vdir_file (uuid) WHERE uuid IS NOT NULL;
    CREATE TABLE vdir_item (uuid BLOB PRIMARY KEY, item_id INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX vdir_item_number ON vdir_item (item_id);
    CREATE TABLE vdir_intent (id INTEGER PRIMARY KEY, path TEXT NOT NULL, old BLOB, new BLOB);
    CREATE TABLE vdir_touched (is_list INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (is_list, id)) WITHOUT ROWID;
    CREATE TRIGGER vdir_item_added AFTER INSERT ON item BEGIN
      INSERT OR IGNORE INTO vdir_touched VALUES (0, new.id); END;
    CREATE TRIGGER vdir_item_changed AFTER UPDATE ON item BEGIN
      INSERT OR IGNORE INTO vdir_touched VALUES (0, new.id); END;
    CREATE TRIGGER vdir_item_deleted AFTER DELETE ON item BEGIN
      INSERT OR IGNORE INTO vdir_touched VALUES (0, old.id); END;
    CREATE TRIGGER vdir_list_added AFTER INSERT ON list BEGIN
      INSERT OR IGNORE INTO vdir_touched VALUES (1, new.id); END;
    CREATE TRIGGER vdir_list_renamed AFTER UPDATE OF name ON list BEGIN
      INSERT OR IGNORE INTO vdir_touched VALUES (1, new.id); END;
    CREATE TRIGGER vdir_list_deleted AFTER DELETE ON list BEGIN
      INSERT OR IGNORE INTO vdir_touched VALUES (1, old.id); END;
    """

  // A snooze that has rung stays in its file, since it is past. The statement that writes a reminder decides about
  // conflicts, also within a trigger, so no conflict may occur.
  private static let snoozeSchema = """
    CREATE TRIGGER vdir_snooze_added AFTER INSERT ON reminder WHEN new.kind = 1 AND new.owner_is_list = 0 BEGIN
      INSERT INTO vdir_touched SELECT 0, new.owner_id
      WHERE NOT EXISTS (SELECT 1 FROM vdir_touched WHERE is_list = 0 AND id = new.owner_id); END;
    CREATE TRIGGER vdir_snooze_ended AFTER UPDATE OF state ON reminder
      WHEN new.kind = 1 AND new.owner_is_list = 0 AND new.state IN (0, 2) AND new.state <> old.state BEGIN
      INSERT INTO vdir_touched SELECT 0, new.owner_id
      WHERE NOT EXISTS (SELECT 1 FROM vdir_touched WHERE is_list = 0 AND id = new.owner_id); END;
    """

  private static let settledSchema = """
    ALTER TABLE vdir_file ADD COLUMN settled INTEGER;
    CREATE INDEX vdir_file_settled ON vdir_file (settled);
    """

  // Answers to events are written into their files.
  private static let answerSchema = """
    CREATE TRIGGER vdir_answer_added AFTER INSERT ON answer
      WHEN new.effect = 0 AND new.owner_is_list = 0 AND EXISTS (SELECT 1 FROM item WHERE id = new.owner_id AND is_event)
      BEGIN INSERT OR IGNORE INTO vdir_touched VALUES (0, new.owner_id); END;
    CREATE TRIGGER vdir_answer_taken_back AFTER UPDATE OF taken_back_at ON answer
      WHEN new.owner_is_list = 0 AND EXISTS (SELECT 1 FROM item WHERE id = new.owner_id AND is_event)
      BEGIN INSERT OR IGNORE INTO vdir_touched VALUES (0, new.owner_id); END;
    """

  // MARK: Touched items and lists

  /// The numbers of the items or lists that were touched, in order.
  func touched(lists: Bool) throws -> [Int64] {
    var ids: [Int64] = []
    try database.statement("SELECT id FROM vdir_touched WHERE is_list = ? ORDER BY id").run(lists) {
      ids.append(try $0.at(0))
    }
    return ids
  }

  /// Notes that the file of an item must be written.
  func touchItem(_ id: Int64) throws {
    try database.statement("INSERT OR IGNORE INTO vdir_touched VALUES (0, ?)").run(id) { _ in }
  }

  /// Forgets the touched items and lists.
  func clearTouched() throws { try database.statement("DELETE FROM vdir_touched").run { _ in } }

  // MARK: Items

  /// The number of the item that has or had an identity.
  func itemID(of uuid: UUID) throws -> Int64? {
    try database.statement("SELECT item_id FROM vdir_item WHERE uuid = ?").first(uuid) { try $0.at(0) }
  }

  /// The identities that an item has or had.
  func identities(ofItem id: Int64) throws -> [UUID] {
    var found: [UUID] = []
    try database.statement("SELECT uuid FROM vdir_item WHERE item_id = ?").run(id) { found.append(try $0.at(0)) }
    return found
  }

  /// Keeps the number of an identity for good.
  func keep(_ id: Int64, for uuid: UUID) throws {
    guard try itemID(of: uuid) != id else { return }
    try database.statement("INSERT OR REPLACE INTO vdir_item VALUES (?, ?)").run(uuid, id) { _ in }
  }

  // MARK: Lists

  /// The lists, by folder.
  func lists() throws -> [List] {
    var lists: [List] = []
    try database.statement("SELECT folder, list_id, name, color, gone_since FROM vdir_list ORDER BY folder").run {
      row in
      lists.append(
        try List(folder: row.at(0), listID: row.at(1), name: row.at(2), color: row.at(3), goneSince: row.at(4)))
    }
    return lists
  }

  /// Adds a list, or replaces the one of this folder.
  func put(_ list: List) throws {
    let sql = "INSERT OR REPLACE INTO vdir_list (folder, list_id, name, color, gone_since) VALUES (?, ?, ?, ?, ?)"
    try database.statement(sql).run(list.folder, list.listID, list.name, list.color, list.goneSince) { _ in }
  }

  func removeList(_ folder: String) throws {
    try database.statement("DELETE FROM vdir_list WHERE folder = ?").run(folder) { _ in }
  }
}
