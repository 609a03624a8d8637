import FoundationEssentials

/// One attempt of a delivery, kept as long as the delivery.
public struct AttemptRecord: Hashable, Sendable {
  /// The outcome of an attempt.
  public enum Outcome: Int, Hashable, Sendable, CaseIterable {
    case delivered = 0
    /// Not accepted for now; it is retried.
    case later = 1
    case refused = 2
    /// Unknown: the sink may have accepted it. It is retried.
    case unknown = 3

    /// True if the message may have arrived.
    package var mayHaveArrived: Bool { self == .delivered || self == .unknown }

    /// The word for commands, JSON and files.
    public var name: String {
      switch self {
      case .delivered: "delivered"
      case .later: "later"
      case .refused: "refused"
      case .unknown: "unknown"
      }
    }
  }

  /// The number of the delivery that it tried.
  public let deliveryID: Int64
  /// The start, in whole seconds.
  public let startedAt: Date
  /// The end of the attempt.
  public let outcome: Outcome
  /// The receiver's reply, or the reason for the failure; `nil` for none.
  public let words: String?

  /// An attempt with all its fields.
  public init(deliveryID: Int64, startedAt: Date, outcome: Outcome, words: String? = nil) {
    self.deliveryID = deliveryID
    self.startedAt = startedAt
    self.outcome = outcome
    self.words = words
  }
}
