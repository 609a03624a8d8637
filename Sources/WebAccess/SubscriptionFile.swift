import BelfryModel
import Digests
import FoundationEssentials
import SQLRecords
import SQLiteStore
import Synchronization
import WebPush

/// The file of the browsers that subscribed to a sink, and of the key to which their subscriptions are tied.
///
/// The key is made with the first subscription and never replaced, since browsers accept only messages of this key.
package struct SubscriptionFile: Sendable {
  private let database: PrivateDatabase
  // Cached, since deriving the public key is expensive, and a burst of messages would repeat it.
  private let known = KnownKey()

  /// The most subscriptions, so that clients cannot fill the disk.
  package static let most = 10_000

  /// The file at a path.
  ///
  /// - Parameter keepsOpen: true for a server, whose copies of this value share a connection.
  package init(path: String, keepsOpen: Bool = false) {
    let schema = PrivateDatabase.Schema(
      version: 2, migrate: Self.migrate,
      loss: "every browser has to subscribe again")
    database = PrivateDatabase(path: path, schema, keepsOpen: keepsOpen)
  }

  package var path: String { database.path }

  // MARK: The key

  /// The key; `nil` if no browser has subscribed yet.
  package func key() throws -> PushKey? {
    try database.read { try key(in: $0) } ?? nil
  }

  /// The key, which is made if there is none.
  package func keyForSubscribers() throws -> PushKey {
    try database.write { database in
      if let key = try key(in: database) { return key }
      guard let key = PushKey.make() else { throw Self.missingLibrary() }
      // Subscriptions that are tied to a lost key get no message, so the browsers must subscribe again.
      try database.execute("DELETE FROM subscription")
      try database.statement("INSERT INTO push_key (id, key) VALUES (1, ?)").run(Base64URL.encode(key.bytes)) { _ in }
      return key
    }
  }

  private func key(in database: Database) throws -> PushKey? {
    let text = try database.statement("SELECT key FROM push_key").first { row -> String in try row.at(0) }
    guard let text else { return nil }
    guard PushLibrary.fault == nil else { throw Self.missingLibrary() }
    guard let key = known.key(text) else { throw StoredValueFault("its key is invalid") }
    return key
  }

  private static func missingLibrary() -> BelfryError {
    BelfryError(
      .badConfig, "messages to browsers cannot be encrypted: \(PushLibrary.fault ?? "no key can be made")",
      hint: "install libhogweed6")
  }

  // MARK: Subscriptions

  /// All subscriptions, in the order in which they were made.
  package func subscriptions() throws -> [PushSubscription] {
    try database.read { database in
      var all: [PushSubscription] = []
      try database.statement("SELECT \(Self.columns) FROM subscription ORDER BY id").run {
        all.append(try PushSubscription($0))
      }
      return all
    } ?? []
  }

  /// The names of the subscriptions that get a message to a person: the person's, and those that belong to no one in
  /// particular.
  ///
  /// - Parameter person: the person's name; `nil` for a message to no one in particular, which all subscriptions get.
  package func names(for person: String?) throws -> [String] {
    let sql = "SELECT name FROM subscription WHERE person IS NULL OR person = coalesce(?, person) ORDER BY id"
    return try database.read { database in
      var names: [String] = []
      try database.statement(sql).run(person) { names.append(try $0.at(0)) }
      return names
    } ?? []
  }

  /// The subscription with a name; `nil` if it has ended.
  package func subscription(_ name: String) throws -> PushSubscription? {
    try database.read { database in
      try database.statement("SELECT \(Self.columns) FROM subscription WHERE name = ?").first(name) {
        try PushSubscription($0)
      }
    } ?? nil
  }

  /// True if a browser at an endpoint has subscribed.
  package func knows(_ endpoint: String) throws -> Bool {
    try database.read { database in
      let known = "SELECT 1 FROM subscription WHERE digest = ?"
      return try database.statement(known).first(AccessSecret.digest(endpoint)) { row -> Int64 in try row.at(0) } != nil
    } ?? false
  }

  /// True if a browser at an endpoint has subscribed. A subscription of the same person then ends with this access,
  /// since a browser signs in again from time to time.
  package func knows(_ endpoint: String, seenBy access: Access) throws -> Bool {
    let digest = AccessSecret.digest(endpoint)
    let sql = "SELECT coalesce(access, '') FROM subscription WHERE digest = ? AND person IS ?"
    let last: String? =
      try database.read { database in
        try database.statement(sql).first(digest, access.grant.person) { try $0.at(0) }
      } ?? nil
    guard let last else { return try knows(endpoint) }
    if last != access.mark {
      try database.write { database in
        try database.statement("UPDATE subscription SET access = ? WHERE digest = ?").run(access.mark, digest) { _ in }
      }
    }
    return true
  }

  /// Adds a subscription. It replaces an earlier one with the same endpoint.
  ///
  /// - Parameters:
  ///   - label: the beginning of its name, one line.
  ///   - access: the access of its browser; the subscription ends with it.
  /// - Returns: its name.
  /// - Throws: ``BelfryError`` `.usage` if there are too many.
  @discardableResult
  package func add(
    _ address: PushSubscription.Address, called label: String, for person: String?, by access: Access? = nil,
    at now: Date
  ) throws -> String {
    try database.write { database in
      let digest = AccessSecret.digest(address.endpoint)
      try database.statement("DELETE FROM subscription WHERE digest = ?").run(digest) { _ in }
      let count = try database.value(of: "SELECT count(*) FROM subscription") ?? 0
      guard count < Self.most else {
        throw BelfryError(.usage, "\(Self.most) browsers have subscribed", hint: "end the subscriptions of some")
      }
      let name = try Self.freeName(label, in: database)
      let sql = """
        INSERT INTO subscription (name, person, digest, endpoint, public_key, secret, made_at, access)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
      try database.statement(sql).run(
        name, person, digest, address.endpoint, Base64URL.encode(address.recipient.publicKey),
        Base64URL.encode(address.recipient.secret), now.stored, access?.mark
      ) { _ in }
      return name
    }
  }

  /// Gives the subscription at an endpoint the address that its browser now has.
  ///
  /// - Returns: false if there is none at the endpoint.
  package func renew(_ endpoint: String, as address: PushSubscription.Address) throws -> Bool {
    try database.write { database in
      let digest = AccessSecret.digest(address.endpoint)
      let old = AccessSecret.digest(endpoint)
      let known = "SELECT 1 FROM subscription WHERE digest = ?"
      let isKnown = try database.statement(known).first(old) { row -> Int64 in try row.at(0) } != nil
      guard isKnown else { return false }
      let sql = "UPDATE subscription SET digest = ?, endpoint = ?, public_key = ?, secret = ? WHERE digest = ?"
      if digest != old { try database.statement("DELETE FROM subscription WHERE digest = ?").run(digest) { _ in } }
      try database.statement(sql).run(
        digest, address.endpoint, Base64URL.encode(address.recipient.publicKey),
        Base64URL.encode(address.recipient.secret), old
      ) { _ in }
      return true
    }
  }

  /// Ends a subscription.
  ///
  /// - Parameter endpoint: if given, the subscription is ended only while it has this endpoint.
  /// - Returns: false if there is none.
  @discardableResult
  package func end(_ name: String, at endpoint: String? = nil) throws -> Bool {
    try database.write { database in
      let sql = "DELETE FROM subscription WHERE name = ? AND digest = coalesce(?, digest)"
      try database.statement(sql).run(name, endpoint.map { AccessSecret.digest($0) }) { _ in }
      return database.changesCount > 0
    }
  }

  /// Ends the subscriptions of browsers whose access ends.
  ///
  /// - Returns: their names.
  package func end(with accesses: [Access]) throws -> [String] {
    let marks = Set(accesses.map(\.mark))
    func names(_ database: Database) throws -> [String] {
      var names: [String] = []
      try database.statement("SELECT name, access FROM subscription WHERE access IS NOT NULL").run { row in
        let (name, mark): (String, String) = try (row.at(0), row.at(1))
        if marks.contains(mark) { names.append(name) }
      }
      return names
    }
    guard try database.read(names)?.isEmpty == false else { return [] }
    return try database.write { database in
      let ended = try names(database)
      for name in ended { try database.statement("DELETE FROM subscription WHERE name = ?").run(name) { _ in } }
      return ended
    }
  }

  /// Notes the hour in which push services accepted messages to subscriptions.
  package func note(reached subscriptions: [PushSubscription], at now: Date) throws {
    let hour = AccessStore.hour(of: now)
    let stale = Set(subscriptions).filter { $0.reachedAt != hour }
    guard !stale.isEmpty else { return }
    try database.write { database in
      for subscription in stale {
        try database.statement("UPDATE subscription SET reached_at = ? WHERE name = ?").run(
          hour.stored, subscription.name
        ) { _ in }
      }
    }
  }

  private static func freeName(_ label: String, in database: Database) throws -> String {
    let taken = "SELECT 1 FROM subscription WHERE name = ?"
    for number in 1...most + 1 {
      let name = number == 1 ? label : "\(label) \(number)"
      let isTaken = try database.statement(taken).first(name) { row -> Int64 in try row.at(0) } != nil
      if !isTaken { return name }
    }
    throw BelfryError(.usage, "every name that begins with '\(label)' is taken", hint: "give it another one")
  }

  fileprivate static let columns = "name, person, endpoint, public_key, secret, made_at, reached_at"

  @Sendable private static func migrate(_ database: Database, from old: Int) throws {
    try database.execute(schema)
    if old == 1 { try database.execute("ALTER TABLE subscription ADD COLUMN access TEXT") }
  }

  // Instants are seconds since 1970. A browser is recognised by the digest of its endpoint;
  // `access` is the mark of the session or token that its browser used last.
  private static let schema = """
    CREATE TABLE IF NOT EXISTS push_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      key TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS subscription (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      person TEXT,
      digest TEXT NOT NULL UNIQUE,
      endpoint TEXT NOT NULL,
      public_key TEXT NOT NULL,
      secret TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      reached_at INTEGER,
      access TEXT
    );
    PRAGMA user_version = 2;
    """
}

/// The last key that was read, by its text in the file.
private final class KnownKey: Sendable {
  private let last = Mutex<(text: String, key: PushKey)?>(nil)

  /// The key that a text encodes; `nil` for an invalid text.
  func key(_ text: String) -> PushKey? {
    last.withLock { last in
      if let last, last.text == text { return last.key }
      last = Base64URL.decode(text, count: 32).flatMap(PushKey.init).map { (text, $0) }
      return last?.key
    }
  }
}
