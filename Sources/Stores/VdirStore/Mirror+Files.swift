import FoundationEssentials
import SQLRecords
import SQLiteStore

extension Mirror {
  private static let columns = "path, stamp, changed_at, read_at, uuid, digest, fault, gone_since"

  /// The files, by path.
  func files() throws -> [File] {
    var files: [File] = []
    try database.statement("SELECT \(Self.columns) FROM vdir_file ORDER BY path").run { files.append(try file($0)) }
    return files
  }

  /// The files that must be checked one by one, by path.
  func unsettledFiles() throws -> [File] {
    var files: [File] = []
    let sql = "SELECT \(Self.columns) FROM vdir_file WHERE settled IS NULL ORDER BY path"
    try database.statement(sql).run { files.append(try file($0)) }
    return files
  }

  /// The other files together.
  func settledFiles() throws -> SettledFiles {
    let sql = "SELECT count(settled), coalesce(sum(settled), 0) FROM vdir_file"
    return try database.statement(sql).first { SettledFiles(count: Int(try $0.at(0) as Int64), sum: try $0.at(1)) }
      ?? SettledFiles()
  }

  /// The file of an item.
  func file(of uuid: UUID) throws -> File? {
    try database.statement("SELECT \(Self.columns) FROM vdir_file WHERE uuid = ?").first(uuid, make: file)
  }

  func file(at path: String) throws -> File? {
    try database.statement("SELECT \(Self.columns) FROM vdir_file WHERE path = ?").first(path, make: file)
  }

  private func file(_ row: SQLRow) throws -> File {
    try File(
      path: row.at(0), stamp: row.at(1), changedAt: row.at(2), readAt: row.at(3), uuid: row.at(4), digest: row.at(5),
      fault: row.at(6), goneSince: row.at(7))
  }

  /// The last good content of a file.
  func bytes(of path: String) throws -> [UInt8]? {
    try database.statement("SELECT bytes FROM vdir_file WHERE path = ?").first(path) { try $0.at(0) as [UInt8]? } ?? nil
  }

  /// The parts of a file that Belfry does not follow, in a sentence; `nil` for none.
  func note(of path: String) throws -> String? {
    try database.statement("SELECT note FROM vdir_file WHERE path = ?").first(path) { try $0.at(0) as String? } ?? nil
  }

  /// Adds a file, or replaces the one at this path, with its valid content and the parts that Belfry does not follow.
  func put(_ file: File, bytes: [UInt8]?, note: String? = nil) throws {
    try database.statement("INSERT OR REPLACE INTO vdir_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      file.path, file.stamp, file.changedAt, file.readAt, file.uuid, file.digest, file.fault, file.goneSince, note,
      bytes, file.settled
    ) { _ in }
  }

  /// Changes the data about a file, and keeps its valid content.
  func update(_ file: File) throws {
    try database.statement(
      """
      UPDATE vdir_file SET stamp = ?2, changed_at = ?3, read_at = ?4, uuid = ?5, digest = ?6, fault = ?7,
        gone_since = ?8, settled = ?9 WHERE path = ?1
      """
    ).run(
      file.path, file.stamp, file.changedAt, file.readAt, file.uuid, file.digest, file.fault, file.goneSince,
      file.settled
    ) { _ in }
  }

  /// Removes the row of the file at a path.
  func removeFile(_ path: String) throws {
    try database.statement("DELETE FROM vdir_file WHERE path = ?").run(path) { _ in }
  }

  /// True if the files were read with events as items, or without, and as this version reads them.
  func isRead(withEvents: Bool) throws -> Bool { try note(Self.events) == (withEvents ? Self.eventsVersion : nil) }

  /// Has every file read again, with events as items or without.
  func readAgain(withEvents: Bool) throws {
    try database.statement("UPDATE vdir_file SET stamp = '', digest = x'', settled = NULL WHERE gone_since IS NULL").run
    { _ in }
    try set(Self.events, withEvents ? Self.eventsVersion : nil)
  }

  private static let events = "vdir_events"
  // Raised when the same event becomes another item than before, or rings at other times.
  private static let eventsVersion: Int64 = 3

  /// The faults and notes of files, one sentence each, by path.
  func faults(root: String) throws -> [String] {
    var faults: [String] = []
    let sql = "SELECT path, fault, uuid IS NOT NULL FROM vdir_file WHERE fault IS NOT NULL ORDER BY path"
    try database.statement(sql).run { row in
      let kept = try row.at(2) ? "; what it held before is used" : ""
      faults.append("\(root)/\(try row.at(0) as String): \(try row.at(1) as String)\(kept)")
    }
    return faults
  }

  /// The parts of used files that Belfry does not follow, one sentence each, by path.
  func notes(root: String) throws -> [String] {
    var notes: [String] = []
    try database.statement("SELECT path, note FROM vdir_file WHERE note IS NOT NULL ORDER BY path").run { row in
      notes.append("\(root)/\(try row.at(0) as String): \(try row.at(1) as String)")
    }
    return notes
  }

  // MARK: Intents

  /// The changes that may not have been made, in order.
  func intents() throws -> [Intent] {
    var intents: [Intent] = []
    try database.statement("SELECT id, path, old, new FROM vdir_intent ORDER BY id").run { row in
      intents.append(try Intent(id: row.at(0), path: row.at(1), old: row.at(2), new: row.at(3)))
    }
    return intents
  }

  /// True if there is an intent.
  func hasIntents() throws -> Bool {
    try database.statement("SELECT 1 FROM vdir_intent LIMIT 1").first { _ in true } ?? false
  }

  /// Adds an intent after the others; returns its number.
  func add(_ intent: Intent) throws -> Int64 {
    let next: Int64 = try database.value(of: "SELECT coalesce(max(id), 0) + 1 FROM vdir_intent") ?? 1
    try database.statement("INSERT INTO vdir_intent VALUES (?, ?, ?, ?)").run(
      next, intent.path, intent.old, intent.new
    ) { _ in }
    return next
  }

  /// Changes the content after an intent.
  func update(_ intent: Intent) throws {
    try database.statement("UPDATE vdir_intent SET new = ?2 WHERE id = ?1").run(intent.id, intent.new) { _ in }
  }

  func close(_ intent: Intent) throws {
    try database.statement("DELETE FROM vdir_intent WHERE id = ?").run(intent.id) { _ in }
  }

  // MARK: Notes

  /// A note of the whole folder, in the store's table `meta`.
  func note(_ key: String) throws -> Int64? {
    try database.statement("SELECT value FROM meta WHERE key = ?").first(key) { try $0.at(0) }
  }

  /// Sets a note; `nil` removes it.
  func set(_ key: String, _ value: Int64?) throws {
    guard try note(key) != value else { return }
    guard let value else { return try database.statement("DELETE FROM meta WHERE key = ?").run(key) { _ in } }
    try database.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value) { _ in }
  }

  /// The sentences for `editFaults`.
  func editFaults() throws -> [String] {
    let text = try database.statement("SELECT value FROM meta WHERE key = 'edit_faults'").first {
      try $0.at(0) as String
    }
    return text.map { $0.split(separator: "\n").map(String.init) } ?? []
  }

  /// Sets the sentences for `editFaults` and `editNotes`.
  func setEditFaults(_ faults: [String], notes: [String] = []) throws {
    try set("edit_faults", faults)
    try set("edit_notes", notes)
  }

  /// Sets the items for `editedItems`: those that were touched, and earlier ones; `nil` for all of them.
  func setEditedItems(_ earlier: [Int64]?) throws {
    let items = try earlier.map { try Set($0).union(touched(lists: false)).sorted() }
    guard let items, items.count <= Self.mostEdited, try touched(lists: true).isEmpty else {
      return try database.statement("DELETE FROM meta WHERE key = 'edited_items'").run { _ in }
    }
    try database.statement("INSERT OR REPLACE INTO meta VALUES ('edited_items', ?)").run(
      items.map(String.init).joined(separator: " ")
    ) { _ in }
  }

  private static let mostEdited = 1_000

  private func set(_ key: String, _ sentences: [String]) throws {
    let text = sentences.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
    try database.statement("DELETE FROM meta WHERE key = ? AND value IS NOT ?").run(key, text) { _ in }
    guard !text.isEmpty else { return }
    try database.statement("INSERT OR IGNORE INTO meta VALUES (?, ?)").run(key, text) { _ in }
  }
}
