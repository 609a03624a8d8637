import BelfryEngine
import Dispatch
import Synchronization

/// Notifies other processes of changes, by NOTIFY.
///
/// NOTIFY takes a lock at its commit that all databases of the server share. So it runs in a separate transaction after
/// the change, and only for the first of all changes within 50 ms, since listeners check the store again a moment
/// later.
final class PostgresNews: Sendable {
  private static let pause: UInt64 = 50_000_000

  /// The name of the channel: that of the schema.
  private let channel: String
  private let nextTime = Mutex<UInt64>(0)

  init(schema: String) { channel = schema }

  /// Notifies of a change that was committed. If that fails, the change is noticed a little later.
  ///
  /// - Returns: false if the connection cannot be used any more.
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

/// Listens for the changes that all processes make to a store, on a separate connection.
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

  // Changes made while there was no connection were missed, so a new connection counts as a change.
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

/// A source without notifications, whose user polls the store.
private final class NoNews: ChangeSource {
  let descriptor: Int32 = -1

  func takeIn() -> Bool { false }
}

extension PostgresStore {
  /// A source of the changes of all processes; see ``ItemStore``.
  package func changeSource() -> (any ChangeSource)? { connector.isPooled ? NoNews() : PostgresListener(connector) }
}
