import ConfigKeys
import Transport

/// A type of store for the config.
public protocol StorePlugin: Sendable {
  /// The word after `type:`, a one-line summary, and the config keys.
  static var description: PluginDescription { get }

  /// Makes a store from its checked config section. Opens nothing yet.
  ///
  /// - Throws: ``BelfryError`` `.badConfig`.
  static func makeStore(_ section: ConfigSection) throws -> any ItemStore
}

/// A type of sink for the config.
public protocol SinkPlugin: Sendable {
  /// The word after `type:`, a one-line summary, and the config keys.
  static var description: PluginDescription { get }

  /// Makes a sink from its checked config section. Opens nothing yet.
  ///
  /// - Parameter transports: the HTTP and mail transports for sinks that use the network.
  /// - Throws: ``BelfryError`` `.badConfig`.
  static func makeSink(_ section: ConfigSection, transports: Transports) throws -> any ReminderSink
}
