import BelfryEngine
import Digests
import SQLRecords

/// The tokens, sessions and sign-in links, of which only digests are kept, the passkeys, the links whose buttons are
/// disabled, and the replies that repeated requests get again.
///
/// They are never exported, copied or undone. The same statements work on every form of the tables.
package struct AccessStore: Sendable {
  private let database: any AccessDatabase

  /// The tables of a store: in its own database if it has a place for them, otherwise in a file next to it.
  ///
  /// - Parameter keepsOpen: true for a server, whose copies of this value share a connection.
  /// - Throws: ``BelfryError`` for a store whose place is unknown.
  package init(of store: any ItemStore, keepsOpen: Bool = false) throws {
    if let store = store as? any AccessHolder {
      database = store.accessDatabase()
    } else {
      database = AccessFile(store: try store.companionPath(), owner: store.location, keepsOpen: keepsOpen)
    }
  }

  /// The tables in this form.
  package init(_ database: any AccessDatabase) { self.database = database }

  /// The file that shows changes of the tables; `nil` if the store itself reports them.
  package var watchedFile: String? { database.watchedFile }

  /// True if servers on several machines may use the tables.
  package var isShared: Bool { database.isShared }

  /// Checks that this process may decide who uses the store.
  ///
  /// - Throws: ``BelfryError`` `.noPermission`.
  package func checkOwner() throws { try database.checkOwner() }

  /// Reads; `nil` if there is nothing yet.
  func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result? { try database.read(body) }

  /// Makes changes that are committed together or not at all.
  ///
  /// - Parameter transaction: the store's transaction, with which they are committed if the tables are in its database.
  @discardableResult
  func write<Result>(
    in transaction: (any StoreTransaction)? = nil, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result { try database.write(in: transaction, body) }
}

extension AccessStore {
  /// The key with which servers verify values that they handed out, such as cursors; made at its first use.
  ///
  /// - Returns: 32 random bytes, the same until the tables are created again.
  package func sealingKey() throws -> [UInt8] {
    let secret = try write { database in
      let insert = "INSERT INTO secret VALUES ('seal', ?) ON CONFLICT DO NOTHING"
      try database.statement(insert).execute(AccessSecret.make())
      return try database.statement("SELECT value FROM secret WHERE name = 'seal'").first { row -> String in
        try row.at(0)
      }
    }
    return HKDFSHA256.key(from: Array((secret ?? "").utf8), info: "belfry seal")
  }
}
