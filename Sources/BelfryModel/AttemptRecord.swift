import FoundationEssentials

/// One attempt of a delivery, kept for as long as the delivery.
public struct AttemptRecord: Hashable, Sendable {
  /// How an attempt ended.
  public enum Outcome: Int, Hashable, Sendable, CaseIterable {
    /// The sink said yes.
    case delivered = 0
    /// Not now: to be tried again.
    case later = 1
    /// Refused for good.
    case refused = 2
    /// Nobody knows: the daemon ended while it was under way.
    case unknown = 3

    /// The word that commands, JSON and files use.
    public var name: String {
      switch self {
      case .delivered: "delivered"
      case .later: "later"
      case .refused: "refused"
      case .unknown: "unknown"
      }
    }
  }

  /// The delivery's number.
  public let deliveryID: Int64
  /// When it began, in whole seconds.
  public let startedAt: Date
  /// How it ended.
  public let outcome: Outcome
  /// What the other side said, or why there was no answer; `nil` where nothing was said.
  public let words: String?

  /// An attempt with all its fields.
  public init(deliveryID: Int64, startedAt: Date, outcome: Outcome, words: String? = nil) {
    self.deliveryID = deliveryID
    self.startedAt = startedAt
    self.outcome = outcome
    self.words = words
  }
}
