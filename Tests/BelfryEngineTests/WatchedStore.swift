import BelfryTestKit
import Synchronization
@testable import BelfryEngine
@testable import BelfryModel

/// A store that counts its uses.
final class WatchedStore: FrontStore {
  private let watched: any ItemStore
  private let count = Mutex(0)

  init(_ store: any ItemStore) { watched = store }

  /// The readings, changes and looks at the count of changes.
  var uses: Int { count.withLock { $0 } }

  /// The store behind it. Each access counts as a use.
  var store: any ItemStore {
    count.withLock { $0 += 1 }
    return watched
  }

  var location: String { watched.location }

  func changeCount() throws -> Int64? { try store.changeCount() }

  func lockForDaemon() throws -> any DaemonLock { try watched.lockForDaemon() }
}
