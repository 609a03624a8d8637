import CPostgres
import ConfigKeys
import Dispatch
import Synchronization
import SystemThreads

/// The opening of a connection on a thread of its own. libpq limits only the time for each address of a host, and nobody
/// waits longer than the limit for all of them.
final class PostgresOpening: Sendable {
  private enum State {
    case isOpening
    case isOver(Opened)
    case isAbandoned
  }

  // Only one thread uses it at a time.
  private struct Opened: @unchecked Sendable {
    let connection: OpaquePointer?
  }

  private let state = Mutex(State.isOpening)
  private let end = DispatchSemaphore(value: 0)

  private init() {}

  /// Opens a connection, which may have failed.
  ///
  /// - Parameters:
  ///   - url: the connection string.
  ///   - seconds: the longest wait for each address.
  ///   - limit: the longest wait for all addresses, in seconds.
  /// - Throws: ``PostgresError`` after that time, and if there is no memory.
  static func open(_ url: Secret, seconds: Int, limit: Int) throws -> OpaquePointer {
    let opening = PostgresOpening()
    guard SystemThread.start({ opening.run(url, seconds) }) else {
      throw PostgresError(state: "53200", message: "out of threads")
    }
    _ = opening.end.wait(timeout: .now() + .seconds(limit))
    let opened: Opened? = opening.state.withLock { state in
      if case .isOver(let opened) = state { return opened }
      state = .isAbandoned
      return nil
    }
    guard let opened else { throw PostgresError(state: nil, message: "no server answered within \(limit) s") }
    guard let connection = opened.connection else { throw PostgresError(state: "53200", message: "out of memory") }
    return connection
  }

  private func run(_ url: Secret, _ seconds: Int) {
    let opened = Opened(connection: belfry_pg_open(url.revealed, Int32(seconds)))
    let isAbandoned = state.withLock { state in
      if case .isAbandoned = state { return true }
      state = .isOver(opened)
      return false
    }
    if isAbandoned { belfry_pg_close(opened.connection) } else { end.signal() }
  }
}
