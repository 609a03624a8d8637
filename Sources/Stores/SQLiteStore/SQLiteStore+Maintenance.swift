import BelfryCore
import Foundation
import GRDB

extension SQLiteStore {
  /// Moves the write-ahead log into the database, makes the day's copy, and lets go of the pages in memory.
  public func tidy() throws {
    let queue = try openForWriting().queue
    emptyLog(queue)
    try SQLiteBackup(database: path, failures: failures).makeDaily(from: queue)
    queue.releaseMemory()
  }

  /// The version, size and last write; see ``ItemStore``.
  public func info() throws -> StoreInfo {
    guard FileManager.default.fileExists(atPath: path) else { return StoreInfo() }
    let version = try failures.translated {
      try openForReading().queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }
    var size: Int64 = 0
    var lastWrite: Int?
    for file in [path, "\(path)-wal"] {
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      size += Int64(status.st_size)
      // Opening a database makes an empty log, which is no write.
      if status.st_size > 0 { lastWrite = max(lastWrite ?? 0, status.st_mtim.tv_sec) }
    }
    return StoreInfo(
      version: version, sizeBytes: size, lastWrite: lastWrite.map { Date(timeIntervalSince1970: Double($0)) },
      backup: SQLiteBackup(database: path, failures: failures).newest)
  }

  /// What SQLite's own checks of the whole file and of its foreign keys find; see ``ItemStore``.
  public func damage() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try failures.translated {
      // Opened anew, since a connection remembers pages as they were.
      try openFile().writeWithoutTransaction { database in
        var found: [String] = []
        try SQLStatement(database.makeStatement(sql: "PRAGMA integrity_check(20)")).run { row in
          let line: String = try row.at(0)
          if line != "ok" { found.append(line) }
        }
        try SQLStatement(database.makeStatement(sql: "PRAGMA foreign_key_check")).run { row in
          let (table, number, parent): (String, Int64?, String) = try (row.at(0), row.at(1), row.at(2))
          found.append("row \(number ?? 0) of the table \(table) refers to a row that is not in \(parent)")
        }
        return found
      }
    }
  }
}
