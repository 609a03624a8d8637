import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import Synchronization

/// A store in memory, for tests. It is also the reference implementation of ``ItemStore``.
public final class MemoryStore: ItemStore {
  private let state: Mutex<StoreState>
  private let changes = Atomic<Int64>(0)
  private let writes = Atomic<Int64>(0)
  private let lock = Mutex(LockState())

  /// A store with this content.
  public init(_ state: StoreState = StoreState()) { self.state = Mutex(state) }

  /// `memory`, as there is no file.
  public var location: String { "memory" }

  /// Reads one consistent state; see ``ItemStore``.
  public func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    let (state, number) = state.withLock { ($0, changes.load(ordering: .relaxed)) }
    return try body(StateTransaction(state: state, changeNumber: number, storedUndo: { state.undo }))
  }

  /// Makes one change; see ``ItemStore``.
  public func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try state.withLock { state in
      let undo = state.undo
      let number = changes.load(ordering: .relaxed)
      let transaction = StateTransaction(state: state, changeNumber: number, storedUndo: { undo })
      let result = try body(transaction)
      if !transaction.changes.isEmpty { changes.add(1, ordering: .relaxed) }
      state = transaction.state
      state.undo = transaction.undo ?? undo
      writes.add(1, ordering: .relaxed)
      return result
    }
  }

  /// The number of writes; see ``ItemStore``.
  public func changeCount() -> Int64? { state.withLock { _ in writes.load(ordering: .relaxed) } }

  /// Makes the caller the store's only daemon; see ``ItemStore``.
  public func lockForDaemon() throws -> any DaemonLock {
    let earlier = lock.withLock { state in
      defer { state.isTaken = true }
      return state
    }
    guard !earlier.isTaken else {
      throw BelfryError(.tryAgain, "\(location): another belfryd has it already (process \(getpid()))")
    }
    return MemoryLock(store: self, wasAbandoned: earlier.isAbandoned)
  }

  /// Does nothing: there are no files to clean up.
  public func tidy() {}

  /// No version, size or backup, as there is no file.
  public func info() -> StoreInfo { StoreInfo() }

  /// Always empty: there is no file that could be damaged.
  public func damage() -> [String] { [] }

  private struct LockState {
    var isTaken = false
    var isAbandoned = false
  }

  private struct MemoryLock: DaemonLock {
    let store: MemoryStore
    let wasAbandoned: Bool

    func release() { store.lock.withLock { $0 = LockState() } }

    func abandon() { store.lock.withLock { $0 = LockState(isAbandoned: true) } }
  }
}
