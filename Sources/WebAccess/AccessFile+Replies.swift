import FoundationEssentials
import SQLRecords
import SQLiteStore

/// The reply to a request, which the same request gets again.
package struct KeptReply: Hashable, Sendable {
  /// The status.
  package let status: Int
  /// The place of what the request made.
  package let location: String?
  /// The body; `nil` for one that was too long to keep.
  package let body: String?

  /// A reply.
  package init(status: Int, location: String?, body: String?) {
    (self.status, self.location, self.body) = (status, location, body)
  }
}

/// A request that must take effect once, however often it is sent: the key that its sender gave it, and what it asks for.
package struct OnceRequest: Hashable, Sendable {
  /// The digest of the sender and the key: a key is known to its sender alone.
  package let digest: String
  /// The digest of what it asks for.
  fileprivate let content: String

  /// A request.
  ///
  /// - Parameter content: a digest of what it asks for, by which it is told from others under the same key.
  package init(key: String, from access: Access, content: String) {
    digest = AccessSecret.digest("\(access.kind.rawValue) \(access.name) \(access.madeAt.stored)\n\(key)")
    self.content = content
  }
}

extension AccessFile {
  /// The state of a request that must take effect once.
  package enum OnceState: Hashable, Sendable {
    /// It has come for the first time, and is now under way.
    case begun(Date)
    /// It was begun at that time by a process that ended since, perhaps after it was carried out, and is now under way.
    case begunAgain(Date)
    /// It was done.
    case done(KeptReply)
    /// It is under way in another process, or was until that ended a moment ago.
    case underWay
    /// Another request came under its key.
    case other
  }

  private static let replyTime = 86_400.0
  /// The time after which a process that began a request and did not end it counts as dead.
  private static let leaseTime = 60.0

  /// Begins a request that must take effect once, and that this process is not working on. A key is kept for a day from
  /// its first coming.
  package func begin(_ request: OnceRequest, at now: Date) throws -> OnceState {
    try write { database in
      let old = now.addingTimeInterval(-Self.replyTime).stored
      try database.statement("DELETE FROM reply WHERE began_at <= ?").run(old) { _ in }
      let lease = now.addingTimeInterval(-Self.leaseTime)
      let sql = "SELECT request, status, location, body, began_at FROM reply WHERE digest = ?"
      let known = try database.statement(sql).first(request.digest) { row -> OnceState in
        let (content, status): (String, Int?) = try (row.at(0), row.at(1))
        guard content == request.content else { return .other }
        guard let status else {
          let began = Date(stored: try row.at(4))
          return began <= lease ? .begunAgain(began) : .underWay
        }
        return .done(KeptReply(status: status, location: try row.at(2), body: try row.at(3)))
      }
      if let known { return known }
      let insert = "INSERT INTO reply (digest, request, began_at) VALUES (?, ?, ?)"
      try database.statement(insert).run(request.digest, request.content, now.stored) { _ in }
      return .begun(Date(stored: now.stored))
    }
  }

  /// Keeps the reply to a request that has begun.
  package func finish(_ request: OnceRequest, with reply: KeptReply) throws {
    try write { database in
      let sql = "UPDATE reply SET status = ?, location = ?, body = ? WHERE digest = ?"
      try database.statement(sql).run(reply.status, reply.location, reply.body, request.digest) { _ in }
    }
  }

  /// Forgets a request that has begun and is known to have changed nothing.
  package func forget(_ request: OnceRequest) throws {
    try write { database in
      try database.statement("DELETE FROM reply WHERE digest = ?").run(request.digest) { _ in }
    }
  }
}
