import BelfryEngine
import BelfryTestKit
import Synchronization

/// A store whose process is killed around one of its commits: from then on nothing is read or written, until it is
/// started again.
final class KilledStore: FrontStore {
  /// The moment of the kill, by the number of the commit.
  enum Moment: Hashable, Sendable {
    case before(Int)
    case after(Int)
  }

  /// The error of a process that is no more.
  struct Killed: Error {}

  private struct State {
    var moment: Moment?
    var commits = 0
    var isDead = false
  }

  let store: any ItemStore
  private let state = Mutex(State())

  init(_ store: any ItemStore) { self.store = store }

  var location: String { store.location }

  /// The number of commits since the last start.
  var commits: Int { state.withLock { $0.commits } }

  /// Starts the process again, until the next kill.
  func start(until moment: Moment?) { state.withLock { $0 = State(moment: moment) } }

  private func requireLife() throws {
    if state.withLock({ $0.isDead }) { throw Killed() }
  }

  private func die(at moment: Moment) throws {
    let dies = state.withLock { state in
      if state.moment == moment { state.isDead = true }
      return state.isDead
    }
    if dies { throw Killed() }
  }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    try requireLife()
    return try store.read(body)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try requireLife()
    let result = try store.write { transaction in
      let result = try body(transaction)
      let number = state.withLock { state in
        state.commits += 1
        return state.commits
      }
      try die(at: .before(number))
      return result
    }
    try die(at: .after(commits))
    return result
  }
}
