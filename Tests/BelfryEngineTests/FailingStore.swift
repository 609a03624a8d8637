import BelfryEngine
import BelfryModel
import Foundation
import Synchronization

/// A store whose changes run, but are dropped while it fails, as on a full disk.
final class FailingStore: ItemStore {
  private let store: any ItemStore
  private let error: BelfryError
  private let changes = Mutex(0)
  private let isSwitchedOn = Mutex(true)
  private let lost = Mutex<[UUID]>([])

  init(_ store: any ItemStore, error: BelfryError = BelfryError(.storeFailed, "the disk is full")) {
    (self.store, self.error) = (store, error)
  }

  /// True if changes fail now.
  var isFailing: Bool {
    get { isSwitchedOn.withLock { $0 } }
    set { isSwitchedOn.withLock { $0 = newValue } }
  }

  /// The number of changes that failed.
  var failedChanges: Int { changes.withLock { $0 } }

  /// The messages that failed changes tried to store.
  var lostMessages: [UUID] { lost.withLock { $0 } }

  var location: String { store.location }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try store.read(body) }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try store.write { transaction in
      let result = try body(transaction)
      guard isFailing else { return result }
      try transaction.visitDeliveries(state: nil, limit: nil) { delivery, _ in
        lost.withLock { $0.append(delivery.messageID) }
      }
      changes.withLock { $0 += 1 }
      throw error
    }
  }

  func lockForDaemon() throws -> any DaemonLock { try store.lockForDaemon() }

  func tidy() throws { try store.tidy() }

  func info() throws -> StoreInfo { try store.info() }

  func damage() throws -> [String] { try store.damage() }
}
