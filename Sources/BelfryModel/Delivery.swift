import CivilTime
import FoundationEssentials

/// One message on its way to one recipient.
public struct Delivery: Hashable, Sendable {
  /// Where a delivery stands in its life.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// To be sent, or sent with an unknown outcome.
    case pending = 0
    /// The sink said yes.
    case delivered = 1
    /// Given up: refused for good, out of time, or its sink is gone.
    case dead = 2
    /// Called off before it was sent.
    case discarded = 3

    /// The word that commands and JSON use.
    public var name: String {
      switch self {
      case .pending: "pending"
      case .delivered: "delivered"
      case .dead: "dead"
      case .discarded: "discarded"
      }
    }
  }

  /// The delivery's number in its store.
  public internal(set) var id: Int64
  /// The message that it carries.
  public internal(set) var messageID: UUID
  /// The sink, by its name in the config.
  public internal(set) var sink: String
  /// Whom the sink sends it to, or `nil` where a sink has only one.
  public internal(set) var recipient: String?
  /// When the first of its reminders was to ring.
  public internal(set) var fireDate: FireDate
  /// Where it stands.
  public var state: State
  /// How often it was tried.
  public var attempts: Int
  /// When it may first be tried; `retry.max_age` counts from here.
  public var permittedFrom: Date
  /// When it is tried next, while pending.
  public var nextAttemptAt: Date?
  /// When it was last tried.
  public var lastAttemptAt: Date?
  /// When it left `pending`.
  public var closedAt: Date?
  /// Why the last attempt failed.
  public var lastError: String?
  /// The fields of its file that Belfry does not know.
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

  /// How late the last attempt was, in whole seconds; `nil` before the first.
  public var lateSeconds: Int? {
    lastAttemptAt.map { max(0, Int($0.timeIntervalSince(fireDate.date))) }
  }
}
