import BelfryEngine
import Dispatch
import Synchronization

/// Tells other processes of changes, by NOTIFY.
///
/// A notification takes a lock at its commit that all of the server's databases share. So it is a transaction of its own
/// after the change, and of changes within a twentieth of a second the first alone is told: whoever hears of it looks
/// again a moment later.
final class PostgresNews: Sendable {
  private static let pause: UInt64 = 50_000_000

  /// The name of the channel: that of the schema.
  private let channel: String
  private let nextTime = Mutex<UInt64>(0)

  init(schema: String) { channel = schema }

  /// Tells of a change that was committed. Where that fails, the change is noticed a little later.
  ///
  /// - Returns: false where the connection cannot be used any more.
  func tell(on connection: PostgresConnection) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    let isDue = nextTime.withLock { next in
      guard now >= next else { return false }
      next = now + Self.pause
      return true
    }
    return !isDue || (try? connection.script("NOTIFY \(channel.inSQL)", limit: 1)) != nil
  }
}

/// Hears of the changes that all processes make to a store, on a connection of its own.
final class PostgresListener: ChangeSource {
  /// The pause before the next try to connect, so that waking up often does not connect often.
  private static let pause: UInt64 = 1_000_000_000

  private let connector: PostgresConnector
  private var session: PostgresSession?
  private var nextTry: UInt64 = 0

  init(_ connector: PostgresConnector) { self.connector = connector }

  var descriptor: Int32 { session?.connection.descriptor ?? -1 }

  func takeIn() -> Bool {
    if let count = session?.connection.takeInNotifications() { return count > 0 }
    session = nil
    return listen()
  }

  // Changes before this moment were not heard of, so that the store has to be looked at.
  private func listen() -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now >= nextTry else { return false }
    nextTry = now + Self.pause
    guard let session = try? connector.connect(),
      (try? session.connection.listen(to: connector.schema)) != nil
    else { return false }
    self.session = session
    return true
  }
}

/// Hears nothing: whoever has it looks at the store now and then.
private final class NoNews: ChangeSource {
  let descriptor: Int32 = -1

  func takeIn() -> Bool { false }
}

extension PostgresStore {
  /// Hears of the changes of all processes; see ``ItemStore``.
  package func changeSource() -> (any ChangeSource)? { connector.isPooled ? NoNews() : PostgresListener(connector) }
}
