import Dispatch
import SQLiteStore

/// A connection that is kept for the next call, as long as the opened file is still at its path.
///
/// Opening a database costs ten times as much as finding a token in it, and closing one that was opened for writing
/// looks like a change to programs that watch its folder.
final class KeptDatabase: Sendable {
  // Held during each use, so that one thread at a time uses the connection.
  private let turn = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var kept: (database: Database, file: FileIdentity)?

  /// Uses the kept connection, or a new one.
  ///
  /// - Parameter open: opens the file at the path.
  func use<Result>(_ path: String, open: () throws -> Database, _ body: (Database) throws -> Result) throws -> Result {
    turn.wait()
    defer { turn.signal() }
    let file = FileIdentity(at: path)
    let known = kept.flatMap { $0.file == file ? $0.database : nil }
    // Dropped until this use has succeeded: after an error, the next use opens a new connection.
    kept = nil
    let database = try known ?? open()
    let result = try body(database)
    kept = file.map { (database, $0) }
    return result
  }
}
