import CivilTime
import Synchronization

/// The time by which an attempt must begin to send, since its delivery may have been answered meanwhile.
///
/// It goes with the task that makes the attempt. A transport asks it when a connection is open, right before the request
/// or MAIL FROM: so neither a thread, nor a handshake, nor a slow greeting stretches that time. The answer never waits
/// for the store: while a connection is slow, whoever made the limit looks at the delivery and extends the time.
package final class StartLimit: Sendable {
  /// The limit of the attempt that the task makes; `nil` for none.
  @TaskLocal package static var current: StartLimit?

  private struct State {
    /// The time before which the attempt may start; `nil` if it may not at all.
    var end: Double?
    /// The requests that may send.
    var started = 0
    /// True if it was asked too late.
    var hasRefused = false
    /// True if a request was sent whose connection was lost.
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

  /// True if the attempt may send. Once it may, it goes on: it may consist of several requests.
  package func allowsStart() -> Bool {
    state.withLock { state in
      if state.started == 0, !isInTime(state) { state.hasRefused = true }
      guard !state.hasRefused else { return false }
      state.started += 1
      return true
    }
  }

  /// True if a request whose connection was lost may be sent again over another one.
  ///
  /// If it may not, and the attempt has sent nothing else, the attempt is to begin anew.
  package func allowsRepetition() -> Bool {
    state.withLock { state in
      guard !isInTime(state) else { return true }
      if state.started == 1 { (state.hasRefused, state.hasLostRequest) = (true, true) }
      return false
    }
  }

  /// True if the attempt is to begin anew, since it was too late to send.
  package var hasRefused: Bool { state.withLock { $0.hasRefused } }

  /// True if it is to begin anew although a request was sent before: its connection was lost, and nobody knows whether
  /// it arrived.
  package var hasLostRequest: Bool { state.withLock { $0.hasLostRequest } }

  /// The time before which an attempt must start that no transport has asked about yet; `nil` for others.
  package var end: Double? { state.withLock { $0.started > 0 || $0.hasRefused ? nil : $0.end } }

  /// Moves the time, since the delivery was still pending a moment ago; `nil` if it is not any more.
  package func move(to uptime: Double?) { state.withLock { $0.end = uptime } }

  private func isInTime(_ state: State) -> Bool { state.end.map { time.uptime < $0 } ?? false }
}
