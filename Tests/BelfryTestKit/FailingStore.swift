import BelfryEngine
import BelfryModel
import Foundation
import Synchronization

/// A store whose changes run, but are dropped while it fails, as on a full disk.
package final class FailingStore: FrontStore {
  /// The store behind it.
  package let store: any ItemStore
  private let error: BelfryError
  private let fails: @Sendable (any StoreTransaction) throws -> Bool
  private let changes = Mutex(0)
  private let isSwitchedOn = Mutex(true)
  private let lost = Mutex<[UUID]>([])

  /// A store that fails from the start, with this error.
  ///
  /// - Parameter fails: whether a change fails, asked at its end.
  package init(
    _ store: any ItemStore, error: BelfryError = BelfryError(.storeFailed, "the disk is full"),
    fails: @escaping @Sendable (any StoreTransaction) throws -> Bool = { _ in true }
  ) {
    (self.store, self.error, self.fails) = (store, error, fails)
  }

  /// True if changes fail now.
  package var isFailing: Bool {
    get { isSwitchedOn.withLock { $0 } }
    set { isSwitchedOn.withLock { $0 = newValue } }
  }

  /// The number of changes that failed.
  package var failedChanges: Int { changes.withLock { $0 } }

  /// The messages that failed changes tried to store.
  package var lostMessages: [UUID] { lost.withLock { $0 } }

  /// The location of the store behind it.
  package var location: String { store.location }

  /// That of the store behind it.
  package func changeCount() throws -> Int64? { try store.changeCount() }

  /// Runs a change, and drops it while the store fails.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try store.write { transaction in
      let result = try body(transaction)
      guard try isFailing && fails(transaction) else { return result }
      try transaction.forEachDelivery(state: nil, limit: nil) { delivery, _ in
        lost.withLock { $0.append(delivery.messageID) }
      }
      changes.withLock { $0 += 1 }
      throw error
    }
  }
}
