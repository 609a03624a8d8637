import BelfryConfig
import BelfryCore
import FoundationEssentials

/// Belfry as a config wires it.
public struct Assembly: Sendable {
  /// The checked config.
  public let configuration: Configuration
  /// The use cases over the configured store.
  public let belfry: Belfry
  /// The enabled sinks, in the config's order.
  public let sinks: [ActiveSink]

  /// Where a config comes from.
  public enum Source: Sendable {
    /// The file that the user named, or the first one found, or the embedded default.
    case file(String?)
    /// Standard input.
    case standardInput
  }

  /// Reads and checks a whole config, and wires what it names. Opens no store and no connection.
  ///
  /// - Parameters:
  ///   - transports: what the sinks send through; a program that delivers nothing has none.
  ///   - templates: the language of the config's templates; likewise.
  /// - Throws: ``ConfigurationError`` with everything that is wrong.
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

  /// What this process's environment says about where files are.
  public static var environment: ConfigEnvironment { .ofProcess() }

  /// What the config's author should know, one line each.
  public var warnings: [String] {
    configuration.warnings.map { $0.line(file: configuration.source ?? Configuration.defaultName) }
  }

  /// The same for a log, which says by itself that they are warnings.
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
