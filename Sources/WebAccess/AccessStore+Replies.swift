import BelfryEngine
import FoundationEssentials
import SQLRecords

/// The reply to a request, which a repeat of the request gets again.
package struct KeptReply: Hashable, Sendable {
  package let status: Int
  /// The fields about the effect of the request, one a line.
  package let fields: String
  /// The body; `nil` if it was too long to keep, or was never known.
  package let body: String?

  package init(status: Int, fields: String = "", body: String?) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }
}

/// A request that must take effect once, however often it is sent: its sender's key for it, and its content.
package struct OnceRequest: Hashable, Sendable {
  /// The digest of the sender and the key, so that equal keys of different senders differ.
  fileprivate let digest: String
  /// The digest of its content.
  fileprivate let content: String

  /// A request.
  ///
  /// - Parameter content: a digest of its content, which distinguishes it from others under the same key.
  package init(key: String, from access: Access, content: String) {
    digest = AccessSecret.digest("\(access.kind.rawValue) \(access.name) \(access.madeAt.stored)\n\(key)")
    self.content = content
  }

  /// The identity under which the store notes it, which differs from that of a request under the same key a day later.
  ///
  /// - Parameter began: the time of its first receipt.
  package func identity(begun began: Date) -> String { "\(digest).\(began.stored)" }
}

// Only the store knows whether a request took effect. These tables hold the request of each key, and its reply, which
// is kept just before the request takes effect: in the same transaction if the tables are in the store's database.
extension AccessStore {
  /// A request received under a key.
  package enum OnceState: Hashable, Sendable {
    /// It was received for the first time, now.
    case new(Date)
    /// It was received before, first at that time.
    case known(Date)
    /// Another request was received under its key.
    case other
  }

  private static let replyTime = 86_400.0

  /// Begins requests that must take effect once, in order. A key is kept for a day from its first receipt.
  package func begin(_ requests: [OnceRequest], at now: Date) throws -> [OnceState] {
    try write { database in
      let old = now.addingTimeInterval(-Self.replyTime).stored
      try database.statement("DELETE FROM kept_reply WHERE began_at <= ?").execute(old)
      return try requests.map { try begin($0, at: now, in: database) }
    }
  }

  private func begin(_ request: OnceRequest, at now: Date, in database: any SQLConnection) throws -> OnceState {
    let sql = "SELECT request, began_at FROM kept_reply WHERE digest = ?"
    let known = try database.statement(sql).first(request.digest) { row -> OnceState in
      let (content, began): (String, Int64) = try (row.at(0), row.at(1))
      return content == request.content ? .known(Date(stored: began)) : .other
    }
    if let known { return known }
    let insert = "INSERT INTO kept_reply (digest, request, began_at) VALUES (?, ?, ?)"
    try database.statement(insert).execute(request.digest, request.content, now.stored)
    return .new(Date(stored: now.stored))
  }

  /// A reply, with the request that it is given to and the time at which that began.
  package struct GivenReply: Sendable {
    let reply: KeptReply
    let request: OnceRequest
    let began: Date

    package init(reply: KeptReply, request: OnceRequest, began: Date) {
      (self.reply, self.request, self.began) = (reply, request, began)
    }
  }

  /// Keeps replies to requests, before these take effect.
  ///
  /// - Parameter transaction: the store's transaction that makes the changes; `nil` for requests whose work no
  ///   transaction covers.
  package func keep(_ replies: [GivenReply], in transaction: (any StoreTransaction)? = nil) throws {
    let sql = """
      INSERT INTO kept_reply (digest, request, began_at, status, fields, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (digest) DO UPDATE SET request = excluded.request, began_at = excluded.began_at,
        status = excluded.status, fields = excluded.fields, body = excluded.body
      """
    try write(in: transaction) { database in
      for given in replies {
        try database.statement(sql).execute(
          given.request.digest, given.request.content, given.began.stored, given.reply.status, given.reply.fields,
          given.reply.body)
      }
    }
  }

  /// The kept reply to a request; `nil` if there is none.
  package func reply(to request: OnceRequest) throws -> KeptReply? {
    let sql = "SELECT status, fields, body FROM kept_reply WHERE digest = ? AND status IS NOT NULL"
    return try read { database in
      try database.statement(sql).first(request.digest) { row in
        try KeptReply(status: row.at(0), fields: row.at(1), body: row.at(2))
      }
    } ?? nil
  }

  /// Forgets a request that has begun and is known to have changed nothing, unless a copy of it is just taking effect:
  /// that has kept its reply.
  package func forget(_ request: OnceRequest) throws {
    try write { database in
      try database.statement("DELETE FROM kept_reply WHERE digest = ? AND status IS NULL").execute(request.digest)
    }
  }
}
