import BelfryModel
import FoundationEssentials

/// Receives the answers of a sink that connects to the server itself, so that no port must be open for them.
///
/// One requirement matters: ``receive(_:waits:)``. A source reports how one connection ended; only the engine decides
/// whether and when to connect again. A source never retries. It runs on a thread of its own.
public protocol ReplySource: Sendable {
  /// The channel of its answers, with a name that no other sink has.
  var channel: Answer.Channel { get }

  /// True if its buttons carry tokens, which the key ring signs.
  var hasTokens: Bool { get }

  /// Receives answers over one connection and passes them to the inbox, until the connection ends or the task is
  /// cancelled, which ends it at once.
  ///
  /// - Parameter waits: whether to wait for answers; if not, it takes the answers that are there and returns.
  /// - Throws: what the inbox throws. The engine connects again, as after a failure.
  func receive(_ inbox: Inbox, waits: Bool) async throws -> ReceiveOutcome
}

extension ReplySource {
  /// True, since others may write to the channel.
  public var hasTokens: Bool { true }
}

/// A sink that can receive answers.
public protocol AnsweredSink: ReminderSink {
  /// The source of the answers; `nil` if the config sets up none.
  var replies: (any ReplySource)? { get }
}

extension ReminderSink {
  /// The source of its answers; `nil` for none.
  package var replySource: (any ReplySource)? { (self as? any AnsweredSink)?.replies }
}

/// The end of one connection of a ``ReplySource``.
public enum ReceiveOutcome: Hashable, Sendable {
  /// The other side ended it in order, or all answers that were there are taken.
  case ended
  /// It failed and must be tried again, not before `retryAfter` if the other side gave one. `needsAttention` if only
  /// the user can repair it, such as a wrong password; `belfry sinks` and `belfry doctor` say so.
  case later(reason: String, retryAfter: Date? = nil, needsAttention: Bool = false)
  /// No answer can arrive before the config is changed.
  case never(reason: String)
}

extension ReceiveOutcome {
  /// The end of a connection whose request had this outcome. What a server refuses today, it may grant tomorrow.
  package init(_ outcome: DeliveryOutcome) {
    switch outcome {
    case .delivered: self = .ended
    case .later(let reason, let retryAfter, let needsAttention):
      self = .later(reason: reason, retryAfter: retryAfter, needsAttention: needsAttention)
    case .unknown(let reason, let retryAfter): self = .later(reason: reason, retryAfter: retryAfter)
    case .never(let reason, pausesSink: true): self = .never(reason: reason)
    case .never(let reason, pausesSink: false): self = .later(reason: reason, needsAttention: true)
    }
  }
}
