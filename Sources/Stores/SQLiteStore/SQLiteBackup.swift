import CSQLite
import FoundationEssentials
import Glibc
import SQLRecords
import SystemFiles

/// Copies of a whole database next to it, made while others read and write (SQLite's online backup).
struct SQLiteBackup {
  /// The seconds between a copy and the next.
  private static let interval = 86_400

  let place: SQLitePlace

  private var failures: SQLiteFailures { place.failures }

  /// The path of the daemon's daily copy.
  var daily: String { "\(place.file).bak" }

  /// The path of the copy made before a migration from an older version.
  func beforeMigration(from version: Int) -> String { "\(place.file).v\(version).bak" }

  /// Makes the daily copy if the database was written a day or more after the last one.
  func makeDaily(from database: Database) throws {
    guard let written = Self.modified(place.file) else { return }
    if let copied = Self.modified(daily), written < copied + Self.interval { return }
    try make(from: database, at: daily)
  }

  /// Makes a copy atomically, so that an earlier one stays until the new one is complete.
  func make(from database: Database, at path: String) throws {
    let draft = FileDraft("\(path).new")
    SQLiteDraft.remove(draft.path)
    defer { SQLiteDraft.remove(draft.path) }
    try failures.making(draft.path) { () throws(SystemCallFailure) in try draft.write([], isSynced: false) }
    try failures.translated {
      let copy = try Database(path: draft.path, SQLITE_OPEN_READWRITE)
      try copy.takeAll(of: database)
      // A single file, so that one rename puts it in place.
      try copy.execute("PRAGMA journal_mode = DELETE")
      guard try copy.value(of: "PRAGMA quick_check(1)") == "ok" else {
        throw failures.damaged("a copy of it is not whole")
      }
    }
    try failures.making(path) { () throws(SystemCallFailure) in
      try OpenFile.sync(file: draft.path)
      try draft.replace(path)
      try OpenFile.sync(folder: place.folder)
    }
  }

  /// The newest intact copy; each is checked completely until one is.
  var newest: String? {
    ([daily] + (0..<Schema.version).map { beforeMigration(from: $0) })
      .compactMap { path in Self.modified(path).map { (path: path, modified: $0) } }
      .sorted { $0.modified > $1.modified }
      .first { Self.isWhole($0.path) }?.path
  }

  /// True if a file without its log is an intact store of Belfry.
  static func isWhole(_ path: String) -> Bool {
    let name = SQLiteFile.unlockedName(path)
    guard let copy = try? Database(path: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI) else { return false }
    return (try? copy.value(of: "PRAGMA application_id")) == Int64(Schema.applicationID)
      && (try? copy.value(of: "PRAGMA quick_check(1)")) == "ok"
  }

  // The modification time of a file; `nil` for none.
  private static func modified(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_mtim.tv_sec
  }
}
