import BelfryModel

/// An entry of the daemon's log.
public struct Event: Hashable, Sendable {
  /// The severity of an event, least first.
  public enum Level: String, CaseIterable, Sendable {
    /// Details for debugging, such as each successful delivery.
    case debug
    case info
    case warning
    case error
  }

  private enum Content: Hashable, Sendable {
    case text(String)
    case delivery(Delivery)
  }

  /// The severity, by which a reader of the log can filter.
  public let level: Level
  private let content: Content

  /// An event with a message.
  package init(_ level: Level, _ message: String) {
    self.level = level
    content = .text(message)
  }

  /// An event about an error, with what to do about it.
  package init(_ level: Level, _ error: any Error) {
    self.init(level, (error as? BelfryError)?.line ?? "\(error)")
  }

  /// An event about the new state of a delivery.
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

  /// The message, one line. Formatted on demand, since most logs drop most events.
  public var message: String {
    switch content {
    case .text(let text): text
    case .delivery(let delivery): delivery.outcome
    }
  }
}

extension Delivery {
  fileprivate var outcome: String {
    let name = "delivery \(id) to \(recipient.map { "\(sink) (\($0))" } ?? sink)"
    let reason = lastError ?? "no reason given"
    return switch state {
    case .delivered: "\(name) done after \(counted(attempts, "attempt"))"
    case .pending: "\(name) put off after attempt \(attempts): \(reason)"
    case .dead: "\(name) given up after attempt \(attempts): \(reason)"
    case .discarded: "\(name) discarded"
    }
  }
}

/// A function that takes each entry of the log.
public typealias EventLog = @Sendable (Event) -> Void
