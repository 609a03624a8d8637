import BelfryModel
import Digests
import FoundationEssentials
import SQLRecords

/// A passkey: the public key of an authenticator, with which its holder signs in.
package struct Passkey: Hashable, Sendable {
  /// The identity that its authenticator gave it.
  package let credential: [UInt8]
  /// The public key, in the form of COSE.
  package let key: [UInt8]
  /// The number of signatures that its authenticator has reported; always 0 for those that do not count.
  package let counter: UInt32

  package init(credential: [UInt8], key: [UInt8], counter: UInt32) {
    (self.credential, self.key, self.counter) = (credential, key, counter)
  }

  /// True if an authenticator that reports this many signatures can be the same, since a copy falls behind (Web
  /// Authentication, section 6.1.1).
  package func permits(counter new: UInt32) -> Bool { new > counter || (new == 0 && counter == 0) }
}

extension AccessStore {
  /// Adds a passkey.
  ///
  /// - Parameters:
  ///   - label: the name that its person gives it.
  ///   - grant: the right of a person who signs in with it.
  /// - Throws: ``BelfryError`` `.usage` if the passkey is already known.
  package func add(_ passkey: Passkey, label: String, for grant: Access.Grant, at now: Date) throws {
    let credential = Base64URL.encode(passkey.credential)
    try write { database in
      let id = { () throws -> Int64? in
        let sql = "SELECT id FROM access WHERE digest = ?"
        return try database.statement(sql).first(AccessSecret.digest(credential)) { try $0.at(0) }
      }
      guard try id() == nil else { throw BelfryError(.usage, "this passkey was added before") }
      try insert(.passkey, credential, name: label, grant, at: now, expiresAt: nil, database)
      let sql = "INSERT INTO passkey (id, credential, key, counter) VALUES (?, ?, ?, ?)"
      try database.statement(sql).execute(id(), credential, Base64URL.encode(passkey.key), Int64(passkey.counter))
    }
  }

  /// The passkey with an identity; `nil` if there is none.
  package func passkey(_ credential: [UInt8]) throws -> Passkey? {
    try read { try passkey(credential, in: $0)?.passkey } ?? nil
  }

  /// The identities of the passkeys of some right.
  package func passkeys(of grant: Access.Grant) throws -> [[UInt8]] {
    try read { database in
      var found: [[UInt8]] = []
      let columns = Self.columns.split(separator: ", ").map { "access.\($0)" }.joined(separator: ", ")
      let sql = "SELECT \(columns), credential FROM access JOIN passkey USING (id) ORDER BY access.id"
      try database.statement(sql).run { row in
        guard try Access(row).grant == grant else { return }
        found.append(try Self.bytes(try row.at(9)))
      }
      return found
    } ?? []
  }

  /// Starts a session after a signature with a passkey.
  ///
  /// - Parameters:
  ///   - counter: the number of signatures that its authenticator now reports.
  ///   - time: the length of the session, in seconds.
  /// - Returns: the session's secret; `nil` if the passkey has been removed, or the authenticator may be a copy.
  package func openSession(
    passkey credential: [UInt8], counter: UInt32, label: String? = nil, lasting time: Double, at now: Date
  ) throws -> String? {
    try write { database -> String? in
      guard let (id, passkey) = try self.passkey(credential, in: database), passkey.permits(counter: counter) else {
        return nil
      }
      try database.statement("UPDATE passkey SET counter = ? WHERE id = ?").execute(Int64(counter), id)
      try database.statement("UPDATE access SET last_used_at = ? WHERE id = ?").execute(Self.hour(of: now).stored, id)
      let columns = "SELECT \(Self.columns) FROM access WHERE id = ?"
      guard let access = try database.statement(columns).first(id, make: { try Access($0) }) else { return nil }
      let session = AccessSecret.make()
      try insert(
        .session, session, name: label, access.grant, at: now, expiresAt: now.addingTimeInterval(time), maker: id,
        database)
      return session
    }
  }

  private func passkey(_ credential: [UInt8], in database: any SQLConnection) throws -> (id: Int64, passkey: Passkey)? {
    let digest = AccessSecret.digest(Base64URL.encode(credential))
    let sql = """
      SELECT access.id, credential, key, counter FROM access JOIN passkey USING (id)
      WHERE digest = ? AND kind = 'passkey'
      """
    return try database.statement(sql).first(digest) { row in
      let (id, known, key, counter): (Int64, String, String, Int64) = try (row.at(0), row.at(1), row.at(2), row.at(3))
      guard let counter = UInt32(exactly: counter) else { throw StoredValueFault("passkey \(id) has no counter") }
      return (id, Passkey(credential: try Self.bytes(known), key: try Self.bytes(key), counter: counter))
    }
  }

  private static func bytes(_ text: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(text, count: text.utf8.count * 3 / 4) else {
      throw StoredValueFault("a passkey is not in base64url")
    }
    return bytes
  }
}
