import BelfryEngine
import CSQLite
import SQLRecords

/// Reads the rest of a database that a copy replaces.
struct SQLiteRemains {
  let place: SQLitePlace

  /// The readable records. If some cannot be read, the numbers of the last good copy count as well.
  func read() -> StoreRemains {
    var remains = (try? read(place.file)) ?? Self.nothing
    if !remains.hasNumbers || !remains.hasReminders, let copy = place.backup.newest,
      let older = try? read(copy)
    {
      remains.addNumbers(of: .counters(older.counters))
    }
    return remains
  }

  private static var nothing: StoreRemains {
    var nothing = StoreRemains()
    (nothing.hasNumbers, nothing.hasReminders) = (false, false)
    return nothing
  }

  private func read(_ path: String) throws -> StoreRemains? {
    let database = try Database(path: path, SQLITE_OPEN_READWRITE)
    defer { database.close() }
    // Without this, closing would move the log into the file, which stays as it is.
    try database.setUp(lockTimeout: 0)
    // With this, SQLite also reads the rest of a truncated file.
    try database.execute("PRAGMA writable_schema = ON")
    guard try database.value(of: "PRAGMA application_id") == Int64(Schema.applicationID) else { return nil }
    return SQLiteTransaction.remains(of: database)
  }
}
