import BelfryModel
import FoundationEssentials
import SQLRecords

extension AccessStore {
  /// Makes a token.
  ///
  /// - Returns: its text, which cannot be shown again.
  /// - Throws: ``BelfryError`` `.usage` if there is a token of this name.
  package func addToken(_ name: String, for grant: Access.Grant, at now: Date) throws -> String {
    let secret = AccessSecret.make()
    try write { database in
      guard try row(named: name, in: database) == nil else {
        throw BelfryError(
          .usage, "there is an access '\(name)' already", hint: "'belfry access revoke' ends it; or choose another name"
        )
      }
      try insert(.token, secret, name: name, grant, at: now, expiresAt: nil, database)
    }
    return AccessSecret.token(secret)
  }

  /// The right that comes with a token's text; `nil` for every other text.
  package func token(_ text: String, at now: Date) throws -> Access? {
    // A text that cannot be a token causes the same work, so that the time reveals nothing.
    try use(AccessSecret.secret(inToken: text) ?? "", .token, at: now)
  }

  /// All tokens, sessions and passkeys in force, in the order in which they were made.
  package func list(at now: Date) throws -> [Access] {
    try read { database in
      var found: [Access] = []
      try database.statement("SELECT \(Self.columns) FROM access WHERE kind <> 'link' ORDER BY id").run { row in
        found.append(try Access(row))
      }
      return found.filter { $0.isInForce(at: now) }
    } ?? []
  }

  /// Ends a token, a session or a passkey, the accesses that it made, and the subscriptions of the browsers that use
  /// them.
  ///
  /// - Parameter files: the files of the sinks to which browsers subscribe.
  /// - Returns: the names of the subscriptions.
  /// - Throws: ``BelfryError`` `.notFound`.
  @discardableResult
  package func revoke(_ name: String, subscriptionsIn files: [String] = []) throws -> [String] {
    // Sessions that it opened, or that a link made by it opened, end as well.
    let ended = """
      WITH RECURSIVE ended (id) AS (
        SELECT id FROM access WHERE id = ?
        UNION SELECT access.id FROM access JOIN ended ON access.maker = ended.id)
      """
    // Subscriptions end first, so that after a failure the access can be revoked again.
    let holders: [Access] =
      try read { database in
        guard let id = try row(named: name, in: database) else { return [] }
        var holders: [Access] = []
        let sql = "\(ended) SELECT \(Self.columns) FROM access WHERE kind <> 'link' AND id IN (SELECT id FROM ended)"
        try database.statement(sql).run(id) { holders.append(try Access($0)) }
        return holders
      } ?? []
    let subscriptions = try files.flatMap { try SubscriptionFile(path: $0).end(with: holders) }
    try write { database in
      guard let id = try row(named: name, in: database) else {
        throw BelfryError(.notFound, "there is no access '\(name)'", hint: "'belfry access list' shows them")
      }
      try database.statement("\(ended) DELETE FROM access WHERE id IN (SELECT id FROM ended)").execute(id)
      try database.statement("DELETE FROM passkey WHERE id NOT IN (SELECT id FROM access)").execute()
    }
    return subscriptions
  }

  // The names of sessions and passkeys contain their number.
  func row(named name: String, in database: any SQLConnection) throws -> Int64? {
    let sql = """
      SELECT id FROM access
      WHERE (kind = 'token' AND name = ?) OR (kind IN ('session', 'passkey') AND kind || '-' || id = ?)
      """
    return try database.statement(sql).first(name, name) { try $0.at(0) }
  }
}

extension AccessStore {
  static let columns = "id, kind, name, person, scope, lists, made_at, last_used_at, expires_at"
  private static let hour = 3_600.0

  func insert(
    _ kind: Access.Kind?, _ secret: String, name: String?, _ grant: Access.Grant, at now: Date, expiresAt: Date?,
    maker: Int64? = nil, _ database: any SQLConnection
  ) throws {
    let sql = """
      INSERT INTO access (digest, kind, name, person, scope, lists, made_at, expires_at, maker)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    let lists = grant.lists.map(\.uuidString).joined(separator: " ")
    try database.statement(sql).execute(
      AccessSecret.digest(secret), kind?.rawValue ?? "link", name, grant.person, grant.scope.rawValue, lists,
      now.stored, expiresAt.map(\.stored), maker
    )
  }

  /// The access that a secret belongs to, whose hour of use is noted; `nil` if it has ended.
  func use(_ secret: String, _ kind: Access.Kind, at now: Date) throws -> Access? {
    let digest = AccessSecret.digest(secret)
    let sql = "SELECT \(Self.columns) FROM access WHERE digest = ? AND kind = ?"
    let found = try read { try $0.statement(sql).first(digest, kind.rawValue) { try Access($0) } } ?? nil
    guard let found, found.isInForce(at: now) else { return nil }
    let hour = Self.hour(of: now)
    if found.lastUsedAt != hour {
      try write { database in
        try database.statement("UPDATE access SET last_used_at = ? WHERE digest = ?").execute(hour.stored, digest)
      }
    }
    return found
  }
}

extension AccessStore {
  /// The hour of an instant, since the exact times of use are private.
  static func hour(of instant: Date) -> Date {
    Date(timeIntervalSince1970: (instant.timeIntervalSince1970 / hour).rounded(.down) * hour)
  }
}

extension Access {
  init(_ row: SQLRow) throws {
    let (id, kind, name, person): (Int64, String, String?, String?) = try (row.at(0), row.at(1), row.at(2), row.at(3))
    let (scope, lists, madeAt): (String, String, Int64) = try (row.at(4), row.at(5), row.at(6))
    let (lastUsedAt, expiresAt): (Int64?, Int64?) = try (row.at(7), row.at(8))
    guard let kind = Kind(rawValue: kind), let scope = AccessScope(rawValue: scope) else {
      throw StoredValueFault("access \(id) has an unknown kind or scope")
    }
    let identities = lists.split(separator: " ").map { UUID(uuidString: String($0)) }
    guard !identities.contains(nil) else { throw StoredValueFault("access \(id) names an invalid list") }
    self.init(
      name: kind == .token ? name ?? "" : "\(kind.rawValue)-\(id)", label: kind == .token ? nil : name, kind: kind,
      grant: Grant(person: person, scope: scope, lists: identities.compactMap(\.self)),
      madeAt: Date(stored: madeAt), lastUsedAt: lastUsedAt.map { Date(stored: $0) },
      expiresAt: expiresAt.map { Date(stored: $0) })
  }
}
