import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import Synchronization

/// A store that lives as long as its process: for tests, and the plainest reading of what ``ItemStore`` promises.
public final class MemoryStore: ItemStore {
  private let state: Mutex<StoreState>
  private let isLocked = Mutex(false)

  /// A store with this content.
  public init(_ state: StoreState = StoreState()) { self.state = Mutex(state) }

  /// Not a file.
  public var location: String { "memory" }

  /// Reads one consistent state; see ``ItemStore``.
  public func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    let state = state.withLock { $0 }
    return try body(StateTransaction(state: state, storedUndo: { state.undo }))
  }

  /// Makes one change; see ``ItemStore``.
  public func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try state.withLock { state in
      let undo = state.undo
      let transaction = StateTransaction(state: state, storedUndo: { undo })
      let result = try body(transaction)
      state = transaction.state
      state.undo = transaction.undo.map(\.record) ?? undo
      return result
    }
  }

  /// Makes the caller the only daemon of this store; see ``ItemStore``.
  public func lockForDaemon() throws -> any DaemonLock {
    let isTaken = isLocked.withLock { isLocked in
      defer { isLocked = true }
      return isLocked
    }
    if isTaken { throw BelfryError(.tryAgain, "\(location): another belfryd has it already (process \(getpid()))") }
    return MemoryLock(store: self)
  }

  /// Nothing was left for later.
  public func tidy() {}

  /// Nothing on disk.
  public func info() -> StoreInfo { StoreInfo() }

  /// Nothing that could be damaged.
  public func damage() -> [String] { [] }

  private struct MemoryLock: DaemonLock {
    let store: MemoryStore

    func release() { store.isLocked.withLock { $0 = false } }
  }
}
