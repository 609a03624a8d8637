import BelfryModel
import FoundationEssentials
import Transport

/// A destination of reminders.
///
/// One requirement matters: ``deliver(_:)``. A sink reports how one attempt ended; only the engine decides whether and
/// when to retry. A sink never retries and never sleeps. Its attempts run on a thread of its own: if one blocks, it
/// delays only this sink, including its other attempts in flight.
public protocol ReminderSink: Sendable {
  /// The recipients, each with a delivery of its own; `[nil]` for a sink without recipients.
  var recipients: [String?] { get }

  /// True if its recipients are subscriptions, which it looks up itself at each attempt; see `SubscribedSink`.
  var isSubscribed: Bool { get }

  /// The most attempts in flight at once; with 1, messages go out in order of fire date.
  var concurrency: Int { get }

  /// The reminders of one minute that share a message; by default each has its own.
  var grouping: MessageGrouping { get }

  /// The domain part of the ids of its messages (RFC 5322 section 3.6.4), stored with each message; `nil` for none.
  var messageDomain: String? { get }

  /// True if the copies that it delivered can be updated after an answer; stored with each message.
  var canWithdraw: Bool { get }

  /// True if the copies of messages with this urgency can be updated after an answer.
  func canWithdraw(_ urgency: Urgency) -> Bool

  /// The identity of the one person who reads what it delivers, by which a reply over any sink of the channel can name
  /// them (``Reply/sender``); `nil` if the channel has none.
  var correspondent: String? { get }

  /// Attempts once to deliver one message to one recipient, and returns the outcome.
  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome

  /// Tests the sink without delivering anything, for example by connecting and signing in, and returns the outcome.
  func probe() async -> DeliveryOutcome
}

extension ReminderSink {
  /// No subscriptions. A requirement, since a cast at each start would search all conformances of the program.
  public var isSubscribed: Bool { false }

  /// No grouping: each reminder has a message of its own.
  public var grouping: MessageGrouping { .none }

  /// A sink has no domain of its own unless it says so.
  public var messageDomain: String? { nil }

  /// Copies cannot be updated, unless a sink says otherwise.
  public var canWithdraw: Bool { false }

  /// By default, the urgency makes no difference.
  public func canWithdraw(_ urgency: Urgency) -> Bool { canWithdraw }

  /// `nil` by default, so that no reply can name a person.
  public var correspondent: String? { nil }

  /// Reports success: by default there is nothing to test without delivering.
  public func probe() async -> DeliveryOutcome { .delivered }
}

/// The reminders of one minute that share a message.
public enum MessageGrouping: String, CaseIterable, Hashable, Sendable {
  /// Each reminder has a message of its own.
  case none
  /// The reminders of one list share a message.
  case list
  case all
}

/// One attempt to deliver one message to one recipient.
public struct DeliveryAttempt: Hashable, Sendable {
  /// The delivery's number in the store.
  public let deliveryID: Int64
  /// The message; receivers see its `id` as its identity.
  public let message: Message
  /// The recipient; `nil` for a sink without recipients.
  public let recipient: String?
  /// The start of this attempt.
  public let startedAt: Date
  /// The whole seconds between the fire date and the start of this attempt.
  public let lateSeconds: Int
  /// The links by which the reminders are answered, one value for each content; empty for a message without links.
  public let links: [ReminderLinks]
  /// The tokens of the buttons that return over the sink's own ``AnsweredSink/replies``: for each content one token for
  /// each action, `nil` for an action that no token carries out. Empty if there are none.
  public let buttons: [[String?]]
  /// The reply to the copy that an update changes; `nil` for other messages, and if none is known.
  public let receipt: String?
  /// The end of the time for which the delivery is tried; `nil` if it is not retried.
  public let endsAt: Date?

  /// An attempt with all its fields.
  public init(
    deliveryID: Int64, message: Message, recipient: String?, startedAt: Date, lateSeconds: Int,
    links: [ReminderLinks] = [], buttons: [[String?]] = [], receipt: String? = nil, endsAt: Date? = nil
  ) {
    self.deliveryID = deliveryID
    self.message = message
    self.recipient = recipient
    self.startedAt = startedAt
    self.lateSeconds = lateSeconds
    self.links = links
    self.buttons = buttons
    self.receipt = receipt
    self.endsAt = endsAt
  }

  /// Asks whether the message may still be sent: its reminder may have been answered since the attempt began.
  ///
  /// A sink that sends through `Transports` need not ask, since they do. Other sinks must ask right before they send.
  /// After `false` nothing is sent, the outcome of the attempt is ignored, and the engine begins the delivery again.
  public func maySend() -> Bool { StartLimit.current?.allowsStart() ?? true }

  /// Appends the JSON body of a webhook request, in UTF-8. The stdout sink prints the same with `format: json`.
  ///
  /// - Parameter withLinks: whether to include the links and tokens; only if no one else can read the output.
  public func writeBody(into output: inout [UInt8], withLinks: Bool = false) {
    let links = withLinks ? links : []
    message.writeBody(lateSeconds: lateSeconds, into: &output) { index in
      guard links.indices.contains(index) else { return nil }
      return ContentLinks(answerURL: links[index].answerURL, tokens: links[index].actions.map(\.token))
    }
  }
}

/// The outcome of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
  /// Accepted, with the receiver's reply if there is one.
  case delivered(reply: String?)
  /// Not accepted for now: must be retried, not before `retryAfter` if the receiver gave one. `needsAttention` if only
  /// the user can repair it, such as a wrong password.
  case later(reason: String, retryAfter: Date? = nil, needsAttention: Bool = false)
  /// Unknown, since the receiver may have accepted it: must be retried, not before `retryAfter` if the receiver gave
  /// one.
  case unknown(reason: String, retryAfter: Date? = nil)
  /// Refused for good. `pausesSink` if the receiver wants no further messages at all.
  case never(reason: String, pausesSink: Bool = false)

  /// Accepted, without a reply to store.
  public static var delivered: DeliveryOutcome { .delivered(reply: nil) }

  /// The outcome of an attempt that may no longer send (``DeliveryAttempt/maySend()``); it is not recorded.
  public static var tooLate: DeliveryOutcome { .later(reason: "too late to send it") }

  /// True if the message was accepted.
  public var isDelivered: Bool {
    if case .delivered = self { true } else { false }
  }
}
