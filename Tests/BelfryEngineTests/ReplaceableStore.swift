import BelfryTestKit
import MemoryStore
import Synchronization
@testable import BelfryEngine
@testable import BelfryModel

/// A store that can be replaced by another, and that cannot be read for a while.
final class ReplaceableStore: FrontStore {
  private struct State {
    var store: MemoryStore
    var identity: String
    var isUnreadable = false
  }

  private let present: Mutex<State>

  init(_ store: MemoryStore, as identity: String = "0") { present = Mutex(State(store: store, identity: identity)) }

  func replace(with store: MemoryStore, as identity: String = "1") {
    present.withLock { ($0.store, $0.identity) = (store, identity) }
  }

  /// True if reading and writing fail now.
  var isUnreadable: Bool {
    get { present.withLock { $0.isUnreadable } }
    set { present.withLock { $0.isUnreadable = newValue } }
  }

  var store: any ItemStore {
    get throws {
      try present.withLock { state in
        guard !state.isUnreadable else { throw BelfryError(.storeFailed, "the store cannot be read") }
        return state.store
      }
    }
  }

  var location: String { "replaceable" }

  var identity: String? { present.withLock { $0.identity } }
}
