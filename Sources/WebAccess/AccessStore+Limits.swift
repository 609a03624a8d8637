import FoundationEssentials
import SQLRecords

extension AccessStore {
  /// Uses up a one-time value, such as a challenge or a person's turn.
  ///
  /// - Parameter end: the instant at which the use is forgotten. A known use with a later end was noted before the clock
  ///   was set back, and does not count.
  /// - Returns: false if it was used up before.
  package func spend(_ thing: String, until end: Date, at now: Date) throws -> Bool {
    try write { database in
      try database.statement("DELETE FROM spent WHERE ends_at <= ?").execute(now.stored)
      let sql = """
        INSERT INTO spent (digest, ends_at) VALUES (?, ?)
        ON CONFLICT (digest) DO UPDATE SET ends_at = excluded.ends_at WHERE spent.ends_at > excluded.ends_at
        """
      return try database.statement(sql).execute(AccessSecret.digest(thing), end.stored) == 1
    }
  }

  /// Counts a failure if several servers use the tables; `nil` if only one does, which counts in memory.
  ///
  /// - Parameters:
  ///   - kind: the kind of failure and the client, of which a digest is kept.
  ///   - minute: the minute of the failure; earlier ones are forgotten.
  /// - Returns: the failures within the minute, this one included.
  package func countFailure(_ kind: String, inMinute minute: Int) throws -> Int? {
    guard isShared else { return nil }
    return try write { database in
      let sql = """
        INSERT INTO failure (digest, minute, count) VALUES (?, ?, 1)
        ON CONFLICT (digest) DO UPDATE SET minute = excluded.minute,
          count = CASE WHEN failure.minute = excluded.minute THEN failure.count + 1 ELSE 1 END
        RETURNING count
        """
      let count: Int? = try database.statement(sql).first(AccessSecret.digest(kind), minute) { try $0.at(0) }
      if count == 1 { try database.statement("DELETE FROM failure WHERE minute < ?").execute(minute) }
      return count
    }
  }
}
