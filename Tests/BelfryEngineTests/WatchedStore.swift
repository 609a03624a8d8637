import Synchronization
@testable import BelfryEngine
@testable import BelfryModel

/// A store that counts its uses.
final class WatchedStore: ItemStore {
  private let store: any ItemStore
  private let count = Mutex(0)

  init(_ store: any ItemStore) { self.store = store }

  /// The readings, changes and looks at the count of changes.
  var uses: Int { count.withLock { $0 } }

  private var used: any ItemStore {
    count.withLock { $0 += 1 }
    return store
  }

  var location: String { store.location }

  func changeCount() throws -> Int64? { try used.changeCount() }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try used.read(body) }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result { try used.write(body) }

  func lockForDaemon() throws -> any DaemonLock { try store.lockForDaemon() }

  func tidy() throws { try used.tidy() }

  func info() throws -> StoreInfo { try used.info() }

  func damage() throws -> [String] { try used.damage() }
}
