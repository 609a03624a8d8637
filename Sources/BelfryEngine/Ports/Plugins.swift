import ConfigKeys
import Transport

/// A kind of store that a config can name.
public protocol StorePlugin: Sendable {
  /// The word after `type:`, a line about it, and its config keys.
  static var description: PluginDescription { get }

  /// Makes the store that a checked section asks for. Opens nothing yet.
  ///
  /// - Throws: ``BelfryError`` `.badConfig`.
  static func makeStore(_ section: ConfigSection) throws -> any ItemStore
}

/// A kind of sink that a config can name.
public protocol SinkPlugin: Sendable {
  /// The word after `type:`, a line about it, and its config keys.
  static var description: PluginDescription { get }

  /// Makes the sink that a checked section asks for. Opens nothing yet.
  ///
  /// - Parameter transports: what a sink that goes through the network sends through.
  /// - Throws: ``BelfryError`` `.badConfig`.
  static func makeSink(_ section: ConfigSection, transports: Transports) throws -> any ReminderSink
}
