import CivilTime
import Synchronization

/// The time before which an attempt must start to send, since its delivery may have been answered meanwhile.
///
/// It is a task-local value of the attempt's task. A transport checks it when a connection is open, right before the
/// request or MAIL FROM, so no thread, handshake or slow greeting extends that time. The check never waits for the
/// store: while a connection is slow, the outbox checks the delivery and extends the time.
package final class StartLimit: Sendable {
  /// The limit of the attempt that the task makes; `nil` for none.
  @TaskLocal package static var current: StartLimit?

  private struct State {
    /// The time before which the attempt may start; `nil` if it may not start.
    var end: Double?
    /// The number of requests that were allowed to start.
    var started = 0
    /// True if the check was too late.
    var hasRefused = false
    /// True if a request was sent and its connection was lost.
    var hasLostRequest = false
  }

  private let time: any TimeSource
  private let state: Mutex<State>

  /// A limit.
  ///
  /// - Parameter uptime: the time before which the attempt may start.
  package init(before uptime: Double, by time: any TimeSource) {
    self.time = time
    state = Mutex(State(end: uptime))
  }

  /// True if the attempt may send. It may then send all its requests, of which there may be several.
  package func allowsStart() -> Bool {
    state.withLock { state in
      if state.started == 0, !isInTime(state) { state.hasRefused = true }
      guard !state.hasRefused else { return false }
      state.started += 1
      return true
    }
  }

  /// True if a request whose connection was lost may be sent again over a new connection.
  ///
  /// If not, and the attempt has sent no other request, the attempt must restart.
  package func allowsRepetition() -> Bool {
    state.withLock { state in
      guard !isInTime(state) else { return true }
      if state.started == 1 { (state.hasRefused, state.hasLostRequest) = (true, true) }
      return false
    }
  }

  /// True if the attempt must restart, since it was too late to send.
  package var hasRefused: Bool { state.withLock { $0.hasRefused } }

  /// True if the attempt must restart although it has sent a request: its connection was lost, and it is unknown
  /// whether the request arrived.
  package var hasLostRequest: Bool { state.withLock { $0.hasLostRequest } }

  /// The time before which an attempt must start, if no transport has checked it yet; otherwise `nil`.
  package var end: Double? { state.withLock { $0.started > 0 || $0.hasRefused ? nil : $0.end } }

  /// Moves the time, since the delivery was still pending a moment ago; `nil` if it is no longer pending.
  package func move(to uptime: Double?) { state.withLock { $0.end = uptime } }

  private func isInTime(_ state: State) -> Bool { state.end.map { time.uptime < $0 } ?? false }
}
