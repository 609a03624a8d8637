import CivilTime
import FoundationEssentials

/// The delivery of one message to one recipient.
public struct Delivery: Hashable, Sendable {
  /// The state of a delivery.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// To be sent, or sent with an unknown outcome.
    case pending = 0
    case delivered = 1
    /// Given up: refused for good, too old, or its sink no longer exists.
    case dead = 2
    /// Cancelled before it was sent, or put away after it was given up.
    case discarded = 3

    /// The word for commands and JSON.
    public var name: String {
      switch self {
      case .pending: "pending"
      case .delivered: "delivered"
      case .dead: "dead"
      case .discarded: "discarded"
      }
    }
  }

  /// The delivery's id, unique in its store.
  public internal(set) var id: Int64
  /// The id of its message.
  public internal(set) var messageID: UUID
  /// The sink's name in the config.
  public internal(set) var sink: String
  /// The recipient; `nil` for a sink without recipients.
  public internal(set) var recipient: String?
  /// The fire date of the first reminder in the message.
  public internal(set) var fireDate: FireDate
  /// The state: still attempted, or how it ended.
  public var state: State
  /// Attempts so far; the waits between them grow with it.
  public var attempts: Int
  /// The earliest time of the first attempt; `retry.max_age` counts from here.
  public var permittedFrom: Date
  /// The time of the next attempt; `nil` unless pending.
  public var nextAttemptAt: Date?
  /// The time of the last attempt.
  public var lastAttemptAt: Date?
  /// The time at which it was closed; `nil` while pending.
  public var closedAt: Date?
  /// The reason why the last attempt failed.
  public var lastError: String?
  /// True if an attempt has ended and its follow-up, such as a notice of its failure, is not done yet.
  public var awaitsFollowUp = false
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// A delivery with all its fields.
  public init(
    id: Int64, messageID: UUID, sink: String, recipient: String?, fireDate: FireDate, state: State = .pending,
    attempts: Int = 0, permittedFrom: Date, nextAttemptAt: Date?, lastAttemptAt: Date? = nil,
    closedAt: Date? = nil, lastError: String? = nil
  ) {
    self.id = id
    self.messageID = messageID
    self.sink = sink
    self.recipient = recipient
    self.fireDate = fireDate
    self.state = state
    self.attempts = attempts
    self.permittedFrom = permittedFrom
    self.nextAttemptAt = nextAttemptAt
    self.lastAttemptAt = lastAttemptAt
    self.closedAt = closedAt
    self.lastError = lastError
  }

  /// The seconds between the fire date and the last attempt; `nil` before the first.
  public var lateSeconds: Int? {
    lastAttemptAt.map { max(0, Int($0.timeIntervalSince(fireDate.date))) }
  }
}
