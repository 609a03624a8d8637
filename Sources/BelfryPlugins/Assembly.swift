import BelfryConfig
import BelfryCore
import FoundationEssentials

/// Belfry assembled by a config.
public struct Assembly: Sendable {
  /// The checked config.
  public let configuration: Configuration
  /// The use cases over the configured store.
  public let belfry: Belfry
  /// The enabled sinks, in the config's order.
  public let sinks: [ActiveSink]

  /// The source of a config.
  public enum Source: Sendable {
    /// The file named by the user, or the first one found, or the embedded default.
    case file(String?)
    /// Standard input.
    case standardInput
  }

  /// Reads and checks a config, and makes its store and sinks. Opens no file of the store and no connection.
  ///
  /// - Parameters:
  ///   - transports: the sinks' transports; none in a program that delivers nothing.
  ///   - templates: the language of the config's templates; likewise.
  /// - Throws: ``ConfigurationError`` with all errors.
  public init(
    _ source: Source, time: any TimeSource, transports: Transports = .none, templates: (any TemplateLanguage)? = nil
  ) throws {
    let environment = Self.environment
    let zones = ZoneDatabase(environment: environment.variables)
    let loader = ConfigLoader(
      schema: Registry.schema, environment: environment, zones: zones, templates: templates)
    switch source {
    case .file(let path): configuration = try loader.load(option: path)
    case .standardInput: configuration = try loader.loadStandardInput()
    }
    sinks = try configuration.sinks.filter(\.isEnabled).map { try Self.activeSink($0, transports) }
    belfry = Belfry(
      store: try Self.store(configuration.store), settings: configuration.settings, time: time, zones: zones)
  }

  /// The folders and variables of this process's environment.
  public static var environment: ConfigEnvironment { .ofProcess() }

  /// The config's warnings, one line each.
  public var warnings: [String] {
    configuration.warnings.map { $0.line(file: configuration.source ?? Configuration.defaultName) }
  }

  /// The config's warnings for a log, which adds their level itself.
  public var logWarnings: [String] {
    configuration.warnings.map { $0.logLine(file: configuration.source ?? Configuration.defaultName) }
  }

  private static func store(_ section: PluginSection) throws -> any ItemStore {
    guard let plugin = Registry.stores.first(where: { $0.description.type == section.type }) else {
      throw BelfryError(.internalError, "the store type '\(section.type)' passed the check and is not known")
    }
    return try plugin.makeStore(section.section)
  }

  private static func activeSink(_ section: SinkSection, _ transports: Transports) throws -> ActiveSink {
    guard let plugin = Registry.sinks.first(where: { $0.description.type == section.type }) else {
      throw BelfryError(.internalError, "the sink type '\(section.type)' passed the check and is not known")
    }
    return ActiveSink(
      name: section.name, sink: try plugin.makeSink(section.section, transports: transports),
      retry: RetryPolicy(maxAge: Double(section.retryMaxAge)), quietHours: section.quietHours,
      rateLimit: section.rateLimit, onFailure: section.onFailure?.value)
  }
}
