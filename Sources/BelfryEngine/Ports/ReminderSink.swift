import BelfryModel
import FoundationEssentials

/// A place where reminders go.
///
/// One requirement matters: ``deliver(_:)``. A sink says how one attempt ended; the core alone decides whether and when
/// to try again. A sink never retries and never sleeps. Its attempts run on a thread that is its own: where one blocks, it
/// holds up this sink alone, with all its attempts that are under way.
public protocol ReminderSink: Sendable {
  /// Whom each message goes to, one delivery for each; `[nil]` for a sink that has only one recipient.
  var recipients: [String?] { get }

  /// How many attempts may be under way at once; with 1, messages go out in order of fire date.
  var concurrency: Int { get }

  /// Which reminders of one minute its messages put together; each has one of its own unless the sink says otherwise.
  var grouping: MessageGrouping { get }

  /// The domain under which its messages get their identity, kept with each; `nil` for a sink that names none.
  var messageDomain: String? { get }

  /// Tries once to deliver one message to one recipient, and says how that ended.
  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome

  /// Goes as far as one can without delivering anything, a connection and signing in for one, and says how that ended.
  func probe() async -> DeliveryOutcome
}

extension ReminderSink {
  /// Each reminder has a message of its own.
  public var grouping: MessageGrouping { .none }

  /// None.
  public var messageDomain: String? { nil }

  /// Nothing to find out before something is delivered.
  public func probe() async -> DeliveryOutcome { .delivered }
}

/// Which reminders that ring in the same minute a message puts together.
public enum MessageGrouping: String, CaseIterable, Hashable, Sendable {
  /// None: each has a message of its own.
  case none
  /// Those of one list.
  case list
  /// All.
  case all
}

/// One attempt to deliver one message to one recipient.
public struct DeliveryAttempt: Hashable, Sendable {
  /// The delivery's number in the store.
  public let deliveryID: Int64
  /// What to send; its `id` is the identity that the receiver sees.
  public let message: Message
  /// Whom to send it to.
  public let recipient: String?
  /// The instant of this attempt.
  public let startedAt: Date
  /// How long after the fire date this attempt starts, in whole seconds.
  public let lateSeconds: Int

  /// An attempt with all its fields.
  public init(deliveryID: Int64, message: Message, recipient: String?, startedAt: Date, lateSeconds: Int) {
    self.deliveryID = deliveryID
    self.message = message
    self.recipient = recipient
    self.startedAt = startedAt
    self.lateSeconds = lateSeconds
  }

  /// Appends the body that a webhook gets and that the stdout sink prints with `format: json`, in UTF-8.
  public func writeBody(into output: inout [UInt8]) { message.writeBody(lateSeconds: lateSeconds, into: &output) }
}

/// How one attempt ended.
public enum DeliveryOutcome: Hashable, Sendable {
  /// The sink said yes, in the other side's words where it has any.
  case delivered(reply: String?)
  /// Not now, or nobody knows: to be tried again, not before `retryAfter` if the other side named an instant.
  /// `needsAttention` where only the user can mend it, a wrong password for one.
  case later(reason: String, retryAfter: Date? = nil, needsAttention: Bool = false)
  /// Refused for good; `pausesSink` where the other side wants nothing more at all.
  case never(reason: String, pausesSink: Bool = false)

  /// The sink said yes, and nothing else.
  public static var delivered: DeliveryOutcome { .delivered(reply: nil) }

  /// Whether the sink said yes.
  public var isDelivered: Bool {
    if case .delivered = self { true } else { false }
  }
}
