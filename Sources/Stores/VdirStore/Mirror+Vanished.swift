import FoundationEssentials
import SQLRecords
import SQLiteStore

extension Mirror {
  /// The statements that create the tables of vanished files: the guarded files, and the times at which the open to-dos
  /// that now count as deleted vanished.
  static let vanishedSchema = """
    CREATE TABLE vdir_guarded (path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE vdir_deleted (folder TEXT NOT NULL, since INTEGER NOT NULL);
    CREATE INDEX vdir_file_vanished ON vdir_file (path) WHERE gone_since IS NOT NULL;
    CREATE INDEX vdir_file_faulty ON vdir_file (path) WHERE fault IS NOT NULL;
    """

  /// The files that vanished and do not count as deleted yet, by folder.
  ///
  /// - Parameters:
  ///   - listing: the files and folders that are there.
  ///   - missing: the folders that are missing themselves.
  func vanished(besides listing: FolderListing, missing: Set<String>) throws -> [VanishedFiles] {
    var files: [String: [VanishedFiles.File]] = [:]
    try database.statement(
      """
      SELECT f.path, f.gone_since, coalesce(i.is_checked = 0, 0), g.path IS NOT NULL FROM vdir_file f
        LEFT JOIN item i ON i.uuid = f.uuid LEFT JOIN vdir_guarded g ON g.path = f.path
        WHERE f.gone_since IS NOT NULL ORDER BY f.path
      """
    ).run { row in
      let file = VanishedFiles.File(
        path: try row.at(0), since: try row.at(1), isOpen: try row.at(2), isGuarded: try row.at(3))
      guard !listing.isUnusable(file.path) else { return }
      files[String(file.path.prefix { $0 != "/" }), default: []].append(file)
    }
    return try files.sorted { $0.key < $1.key }.map { folder, files in
      try VanishedFiles(
        folder: folder, files: files, deleted: deleted(from: folder), open: openCount(of: folder),
        isFolderGone: missing.contains(folder))
    }
  }

  private func deleted(from folder: String) throws -> [Int64] {
    var times: [Int64] = []
    try database.statement("SELECT since FROM vdir_deleted WHERE folder = ?").run(folder) { times.append(try $0.at(0)) }
    return times
  }

  private func openCount(of folder: String) throws -> Int {
    try database.statement(
      "SELECT count(*) FROM item JOIN vdir_list USING (list_id) WHERE folder = ? AND is_checked = 0"
    ).first(folder) { try $0.at(0) } ?? 0
  }

  /// True if a list has no items.
  func isEmpty(_ list: List) throws -> Bool {
    try database.statement("SELECT 1 FROM item WHERE list_id = ?").first(list.listID) { _ in false } ?? true
  }

  /// True if a list whose folder is missing counts as deleted: its items do, and its own reminder has rung for a day.
  ///
  /// - Parameter now: the time in seconds since 1970.
  func isDeleted(_ list: List, at now: Int64) throws -> Bool {
    guard let since = list.goneSince, now - since >= VanishedFiles.settling, try isEmpty(list) else { return false }
    let rings = try database.statement("SELECT 1 FROM list WHERE id = ? AND remind_local IS NOT NULL")
      .first(list.listID) { _ in true }
    return rings == nil || now - since >= VanishedFiles.guarding
  }

  /// Guards a file that vanished with many others.
  func setGuarded(_ path: String) throws {
    try database.statement("INSERT OR IGNORE INTO vdir_guarded VALUES (?)").run(path) { _ in }
  }

  /// Notes the time at which an open to-do vanished, since it counts as deleted now.
  func noteDeleted(from folder: String, since: Int64) throws {
    try database.statement("INSERT INTO vdir_deleted VALUES (?, ?)").run(folder, since) { _ in }
  }

  /// Forgets vanished files that no longer count.
  ///
  /// - Parameter now: the time in seconds since 1970.
  func forgetVanished(at now: Int64) throws {
    try database.statement("DELETE FROM vdir_deleted WHERE since NOT BETWEEN ? AND ?")
      .run(now - VanishedFiles.window, now) { _ in }
    try database.statement(
      """
      DELETE FROM vdir_guarded WHERE NOT EXISTS (
        SELECT 1 FROM vdir_file f WHERE f.path = vdir_guarded.path AND f.gone_since IS NOT NULL)
      """
    ).run { _ in }
  }

  /// The number of guarded files, by folder.
  func guarded() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    try database.statement("SELECT path FROM vdir_guarded").run { row in
      counts[String((try row.at(0) as String).prefix { $0 != "/" }), default: 0] += 1
    }
    return counts
  }
}
