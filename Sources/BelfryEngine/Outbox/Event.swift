import BelfryModel

/// Something that the daemon tells its log.
public struct Event: Hashable, Sendable {
  /// How much it matters, the least first.
  public enum Level: String, CaseIterable, Sendable {
    /// Each delivery that was done; only for finding faults.
    case debug
    /// In the course of things.
    case info
    /// Somebody should look.
    case warning
    /// Something did not work.
    case error
  }

  private enum Content: Hashable, Sendable {
    case text(String)
    case delivery(Delivery)
  }

  /// How much it matters.
  public let level: Level
  private let content: Content

  /// An event with all its fields.
  public init(_ level: Level, _ message: String) {
    self.level = level
    content = .text(message)
  }

  /// What went wrong, with what to do about it.
  public init(_ level: Level, _ error: any Error) {
    self.init(level, (error as? BelfryError)?.line ?? "\(error)")
  }

  /// What became of a delivery.
  init(delivery: Delivery) {
    level =
      switch delivery.state {
      case .delivered: .debug
      case .pending: .warning
      case .dead: .error
      case .discarded: .info
      }
    content = .delivery(delivery)
  }

  /// What happened, in one line. Put into words when it is asked for: most logs leave out most events.
  public var message: String {
    switch content {
    case .text(let text): text
    case .delivery(let delivery): delivery.outcome
    }
  }
}

extension Delivery {
  /// What became of it, in words.
  fileprivate var outcome: String {
    let name = "delivery \(id) to \(recipient.map { "\(sink) (\($0))" } ?? sink)"
    let reason = lastError ?? "no reason given"
    return switch state {
    case .delivered: "\(name) done after \(attempts) attempt(s)"
    case .pending: "\(name) put off after attempt \(attempts): \(reason)"
    case .dead: "\(name) given up after attempt \(attempts): \(reason)"
    case .discarded: "\(name) discarded"
    }
  }
}

/// Where events go.
public typealias EventLog = @Sendable (Event) -> Void
