import FoundationEssentials
import SQLRecords

extension AccessStore {
  private static let linkTime = 300.0

  /// Makes a sign-in link's secret, good once and for five minutes.
  ///
  /// - Parameter maker: the access by which it is made, with which it ends.
  package func makeLink(for grant: Access.Grant, by maker: Access? = nil, at now: Date) throws -> String {
    let secret = AccessSecret.make()
    try write { database in
      let maker = try maker.flatMap { try row(named: $0.name, in: database) }
      try insert(
        nil, secret, name: nil, grant, at: now, expiresAt: now.addingTimeInterval(Self.linkTime), maker: maker, database
      )
      try removeExpired(at: now, database)
    }
    return secret
  }

  /// True if a sign-in link is still good. Checking changes nothing.
  package func isLinkGood(_ secret: String, at now: Date) throws -> Bool {
    let sql = "SELECT expires_at FROM access WHERE digest = ? AND kind = 'link'"
    let end: Int64? = try read { try $0.statement(sql).first(AccessSecret.digest(secret)) { try $0.at(0) } } ?? nil
    return end.map { now < Date(stored: $0) } ?? false
  }

  /// Uses up a sign-in link and begins a session.
  ///
  /// - Parameter time: the length of the session, in seconds.
  /// - Returns: the session's secret; `nil` if the link is not, or no longer, good.
  package func openSession(
    link secret: String, label: String? = nil, lasting time: Double, at now: Date
  ) throws -> String? {
    try write { database in
      let session = AccessSecret.make()
      let sql = """
        UPDATE access SET digest = ?, kind = 'session', name = ?, made_at = ?, expires_at = ?
        WHERE digest = ? AND kind = 'link' AND expires_at > ?
        """
      let count = try database.statement(sql).execute(
        AccessSecret.digest(session), label, now.stored, now.addingTimeInterval(time).stored,
        AccessSecret.digest(secret), now.stored)
      return count == 1 ? session : nil
    }
  }

  /// The right that comes with a session's secret; `nil` for every other text.
  package func session(_ secret: String, at now: Date) throws -> Access? { try use(secret, .session, at: now) }

  package func endSession(_ secret: String) throws {
    try write { database in
      let sql = "DELETE FROM access WHERE digest = ? AND kind = 'session'"
      try database.statement(sql).execute(AccessSecret.digest(secret))
    }
  }

  private func removeExpired(at now: Date, _ database: any SQLConnection) throws {
    try database.statement("DELETE FROM access WHERE expires_at <= ?").execute(now.stored)
  }
}
