/// Something that the daemon tells its log.
public struct Event: Hashable, Sendable {
  /// How much it matters.
  public enum Level: Hashable, Sendable {
    /// Only for finding faults.
    case debug
    /// In the course of things.
    case info
    /// Somebody should look.
    case warning
    /// Something did not work.
    case error
  }

  /// How much it matters.
  public let level: Level
  /// What happened, in one line.
  public let message: String

  /// An event with all its fields.
  public init(_ level: Level, _ message: String) {
    self.level = level
    self.message = message
  }

  /// What became of a delivery.
  init(delivery: Delivery) {
    let name = "delivery \(delivery.id) to \(delivery.recipient.map { "\(delivery.sink) (\($0))" } ?? delivery.sink)"
    let reason = delivery.lastError ?? "no reason given"
    switch delivery.state {
    case .delivered: self.init(.debug, "\(name) done after \(delivery.attempts) attempt(s)")
    case .pending: self.init(.warning, "\(name) put off after attempt \(delivery.attempts): \(reason)")
    case .dead: self.init(.error, "\(name) given up after attempt \(delivery.attempts): \(reason)")
    case .discarded: self.init(.info, "\(name) discarded")
    }
  }
}

/// Where events go.
public typealias EventLog = @Sendable (Event) -> Void
