import Synchronization

/// The connections that sinks pass on when the config is reloaded. They end with the last sink that uses them.
final class LastingConnections: Sendable {
  private struct Entry: Sendable {
    weak var connection: (any AnyObject & Sendable)?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The connection with a key; a new connection if no sink has it any more.
  func connection<Connection: AnyObject & Sendable>(_ key: String, make: () -> Connection) -> Connection {
    entries.withLock { entries in
      if let known = entries[key]?.connection as? Connection { return known }
      let made = make()
      entries = entries.filter { $0.value.connection != nil }
      entries[key] = Entry(connection: made)
      return made
    }
  }
}
