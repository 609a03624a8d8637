import BelfryEngine
import FoundationEssentials
import Glibc
import SQLRecords
import SystemFiles

/// An open database, used by one thread at a time.
final class SQLiteConnection {
  let database: Database
  let place: SQLitePlace
  /// The identity of the open file; `nil` for a database in memory, or one opened for a single reading.
  let identity: FileIdentity?
  /// The stamp of a file read without a lock, from when it was opened.
  private let unlocked: FileStamp?
  /// True if the log has once grown to its limit and been moved into the database.
  var hasFilledLog = false
  private var (dataVersion, countedVersion): (Int64?, Int64?)

  /// A connection to a file, or to an empty database in memory.
  init(_ database: Database, _ place: SQLitePlace, _ identity: FileIdentity? = nil) {
    (self.database, self.place, self.identity, unlocked) = (database, place, identity, nil)
  }

  /// A connection to a file that this user cannot lock.
  init(_ database: Database, _ place: SQLitePlace, unlocked: FileStamp) {
    (self.database, self.place, identity, self.unlocked) = (database, place, nil, unlocked)
  }

  /// True if no database exists at the path yet.
  var isUnmade: Bool { identity == nil && unlocked == nil }

  /// Throws if a file read without a lock has changed since.
  func requireUnchanged() throws {
    guard let unlocked else { return }
    guard try place.stamp() == unlocked, place.logSize == 0 else { throw place.failures.changedMeanwhile() }
  }

  /// True if another connection has committed since the last call; true at the first.
  func wasChangedElsewhere() throws -> Bool {
    let version = try currentVersion()
    defer { dataVersion = version }
    return version != dataVersion
  }

  /// As ``wasChangedElsewhere()``, since its own last call.
  func foundChanges() throws -> Bool {
    let version = try currentVersion()
    defer { countedVersion = version }
    return version != countedVersion
  }

  private func currentVersion() throws -> Int64? {
    try place.failures.translated { try database.value(of: "PRAGMA data_version") }
  }

  /// The version, size and last write, and the newest copy.
  func info() throws -> StoreInfo {
    let version = try place.failures.translated { try SQLiteFile.version(of: database) }
    var size: Int64 = 0
    var lastWrite: Int?
    for file in [place.file, place.log] {
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      size += Int64(status.st_size)
      // Opening a database creates an empty log, which does not count as a write.
      if status.st_size > 0 { lastWrite = max(lastWrite ?? 0, status.st_mtim.tv_sec) }
    }
    return StoreInfo(
      version: version, sizeBytes: size, lastWrite: lastWrite.map { Date(timeIntervalSince1970: Double($0)) },
      backup: place.backup.newest)
  }

  /// The findings of SQLite's integrity check and foreign key check.
  func damage() throws -> [String] {
    try place.failures.translated {
      var found: [String] = []
      try database.statement("PRAGMA integrity_check(20)").run { row in
        let line: String = try row.at(0)
        if line != "ok" { found.append(line) }
      }
      try database.statement("PRAGMA foreign_key_check").run { row in
        let (table, number, parent): (String, Int64?, String) = try (row.at(0), row.at(1), row.at(2))
        found.append("row \(number ?? 0) of the table \(table) refers to a row that is not in \(parent)")
      }
      return found
    }
  }
}
