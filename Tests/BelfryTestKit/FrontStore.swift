import BelfryEngine

/// A store in front of another one, to which it leaves what it does not do itself.
package protocol FrontStore: ItemStore {
  /// The store behind it.
  var store: any ItemStore { get throws }
}

extension FrontStore {
  /// Reads from the store behind it.
  package func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try store.read(body) }

  /// Changes the store behind it.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result { try store.write(body) }

  /// Locks the store behind it.
  package func lockForDaemon() throws -> any DaemonLock { try store.lockForDaemon() }

  /// Tidies the store behind it.
  package func tidy() throws { try store.tidy() }

  /// Describes the store behind it.
  package func info() throws -> StoreInfo { try store.info() }

  /// The damage of the store behind it.
  package func damage() throws -> [String] { try store.damage() }
}
