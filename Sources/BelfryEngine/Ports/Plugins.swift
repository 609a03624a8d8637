import ConfigKeys
import Transport

/// A kind of store that a config can name.
public protocol StorePlugin: ConfigPlugin {
  /// Makes the store that its section asks for. Opens nothing yet.
  ///
  /// - Throws: ``BelfryError`` `.badConfig`.
  func makeStore() throws -> any ItemStore
}

/// A kind of sink that a config can name.
public protocol SinkPlugin: ConfigPlugin {
  /// Makes the sink that its section asks for. Opens nothing yet.
  ///
  /// - Parameter transports: the HTTP and mail transports for sinks that use the network.
  /// - Throws: ``BelfryError`` `.badConfig`.
  func makeSink(_ transports: Transports) throws -> any ReminderSink
}
