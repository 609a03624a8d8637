import BelfryTestKit
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// A folder with one database.
struct Place {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  var file: String { folder.file("belfry.sqlite") }
  var data: Data { FileManager.default.contents(atPath: file) ?? Data() }

  func open(_ path: String? = nil) -> SQLiteStore { SQLiteStore(path: path ?? file) }

  /// A store with every kind of record, all in one file.
  func fill() throws {
    let store = open()
    try store.write { transaction in
      for record in try Sample.everything() { try transaction.restore(record) }
    }
    try python("c.execute('PRAGMA wal_checkpoint(TRUNCATE)')")
    removeLog()
  }

  func removeLog() {
    for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
  }

  /// Runs Python with `c`, a connection to the database, and returns its output.
  @discardableResult
  func python(_ program: String) throws -> String {
    try Python.run(
      "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n\(program)\nc.commit(); c.close()", [file])
  }

  /// Runs a command line quoted in a message.
  func shell(_ command: Substring) throws {
    _ = try Program.output(["sh", "-c", String(command)])
  }

  /// A store with this many items, whose last changes are in the log.
  func fill(items: Int) throws {
    try open().write { transaction in
      try transaction.addSampleList()
      for number in 0..<items { _ = try transaction.addSampleItem("item \(number)", to: 1) }
    }
  }
}
