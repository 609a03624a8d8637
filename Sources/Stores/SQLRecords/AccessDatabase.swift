import BelfryEngine

/// The access tables of the web face, in a file of their own or in the store's database.
///
/// Every form has the tables `access`, `destination`, `kept_reply`, `passkey`, `paused_link`, `secret` and `spent` with
/// the same columns; tables that servers share include `failure`. Instants are whole seconds since 1970.
///
/// Every call throws ``BelfryError``: `.tryAgain` if locked for too long or out of reach, `.storeFailed` if damaged or of
/// a newer version, `.noPermission`, `.cannotCreate`.
package protocol AccessDatabase: Sendable {
  /// The file that shows changes of the tables; `nil` if the store reports them.
  var watchedFile: String? { get }

  /// True if servers on several machines may use the tables.
  var isShared: Bool { get }

  /// Checks that this process may decide who uses the store.
  ///
  /// - Throws: ``BelfryError`` `.noPermission`.
  func checkOwner() throws

  /// Reads; `nil` if the tables do not exist yet. Several statements may read several states.
  func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result?

  /// Makes changes that are committed together or not at all, one caller after another.
  ///
  /// - Parameter transaction: the store's transaction in which the caller is, with which the changes are committed if the
  ///   tables are in its database; `nil` for none.
  func write<Result>(
    in transaction: (any StoreTransaction)?, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result
}

/// A store whose database also has the access tables of the web face.
package protocol AccessHolder: ItemStore {
  /// The tables, on a separate connection, so that no change of the store delays requests with a token.
  func accessDatabase() -> any AccessDatabase
}
