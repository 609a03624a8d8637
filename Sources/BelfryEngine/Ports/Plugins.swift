import ConfigKeys
import Transport

/// A type of store for the config.
public protocol StorePlugin: ConfigPlugin {
  /// True if its stores are on a server, which machines in several time zones may use, and are reached through a
  /// library that `belfry` itself does not load, so its commands run in `belfryd`.
  static var isOnServer: Bool { get }

  /// What its section names and this machine does not have yet, as a clause; `nil` if everything is there.
  var absence: String? { get }

  /// Makes a store from its config section. Opens nothing yet.
  ///
  /// - Throws: ``BelfryError`` `.badConfig`.
  func makeStore() throws -> any ItemStore
}

extension StorePlugin {
  /// False by default.
  public static var isOnServer: Bool { false }

  /// By default, it makes what is missing without a word.
  public var absence: String? { nil }
}

/// A type of sink for the config.
public protocol SinkPlugin: ConfigPlugin {
  /// True if its sinks connect to a server, which a probe can check.
  static var connects: Bool { get }

  /// True if its sinks show something on their own machine; it matters then which daemon sends.
  static var isOnMachine: Bool { get }

  /// The resource that it needs and this program's environment lacks, as a clause; `nil` for none.
  var absence: String? { get }

  /// The reason why it needs a `web.public_url` with https; `nil` if it needs none.
  var webFaceNeed: String? { get }

  /// Makes a sink from its config section. Opens nothing yet.
  ///
  /// - Parameter transports: the HTTP and mail transports for sinks that use the network.
  /// - Throws: ``BelfryError`` `.badConfig`.
  func makeSink(_ transports: Transports) throws -> any ReminderSink
}

extension SinkPlugin {
  /// A sink connects unless its plug-in says otherwise.
  public static var connects: Bool { true }

  /// A sink works from any machine unless its plug-in says otherwise.
  public static var isOnMachine: Bool { false }

  /// By default, it needs nothing of its environment.
  public var absence: String? { nil }

  /// `nil` by default.
  public var webFaceNeed: String? { nil }
}
