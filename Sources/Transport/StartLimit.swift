import CivilTime
import Synchronization

/// The time by which an attempt must begin to send, since its delivery may have been answered meanwhile.
///
/// It goes with the task that makes the attempt. A transport asks it when a connection is open, right before the request
/// or MAIL FROM: so neither a thread, nor a handshake, nor a slow greeting stretches that time.
package final class StartLimit: Sendable {
  /// The limit of the attempt that the task makes; `nil` for none.
  @TaskLocal package static var current: StartLimit?

  private enum State {
    case waiting
    case started
    case refused
  }

  private let uptime: Double
  private let span: Double
  private let time: any TimeSource
  private let beginAgain: @Sendable () -> Bool
  private let state = Mutex(State.waiting)

  /// A limit.
  ///
  /// - Parameters:
  ///   - uptime: the time before which the attempt may start.
  ///   - span: the seconds for which a begin counts.
  ///   - beginAgain: begins the delivery anew where that time is over; `false` if it is not to be sent any more, or the
  ///     store cannot tell.
  package init(
    before uptime: Double, by time: any TimeSource, span: Double, beginAgain: @escaping @Sendable () -> Bool
  ) {
    (self.uptime, self.time, self.span, self.beginAgain) = (uptime, time, span, beginAgain)
  }

  /// True if the attempt may send. Once it may, it goes on: it may consist of several requests.
  package func allowsStart() -> Bool {
    state.withLock { state in
      if state == .waiting { state = isInTime() ? .started : .refused }
      return state == .started
    }
  }

  /// True if nothing was sent, since it was too late.
  package var hasRefused: Bool { state.withLock { $0 == .refused } }

  private func isInTime() -> Bool {
    let now = time.uptime
    guard now >= uptime else { return true }
    return beginAgain() && time.uptime < now + span
  }
}
