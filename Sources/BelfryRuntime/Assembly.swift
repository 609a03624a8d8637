import BelfryConfig
import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import Transport

/// Belfry, assembled from a config.
package struct Assembly: Sendable {
  package let configuration: Configuration
  /// The use cases over the configured store.
  package let belfry: Belfry
  /// The enabled sinks, in the config's order.
  package let sinks: [ActiveSink]

  /// The source of a config.
  package enum Source: Sendable {
    /// The file named by the user, or the first one found, or the embedded default.
    case file(String?)
    case standardInput
  }

  /// Reads and checks a config, and makes its store and sinks. Opens neither the store nor a connection.
  ///
  /// - Parameters:
  ///   - transports: the sinks' transports; none in a program that delivers nothing.
  ///   - templates: the language of the config's templates; none in such a program.
  ///   - makeLinks: makes the source of links and buttons of the sinks' messages; none in such a program.
  /// - Throws: ``ConfigurationError`` with all errors.
  package init(
    _ source: Source, environment: ConfigEnvironment = Assembly.environment, time: any TimeSource,
    transports: Transports = .none, templates: (any TemplateLanguage)? = nil,
    makeLinks: (Configuration) -> (any AnswerLinks)? = { _ in nil }
  ) throws {
    let zones = ZoneDatabase(environment: environment.variables)
    let loader = ConfigLoader(
      schema: Registry.schema, environment: environment, zones: zones, templates: templates)
    switch source {
    case .file(let path): configuration = try loader.load(option: path)
    case .standardInput: configuration = try loader.loadStandardInput()
    }
    let links = makeLinks(configuration)
    let (settings, hasLinks) = (configuration.settings, configuration.hasLinks)
    let file = configuration.source ?? Configuration.defaultName
    sinks = try configuration.sinks.filter(\.isEnabled).map { section in
      let sink = try Self.sink(section, transports, file: file)
      // Without links and tokens, messages have no ways to answer.
      let needsLinks = links != nil && (hasLinks || sink.replySource?.hasTokens ?? false)
      return Self.activeSink(section, Self.named(sink, settings), settings, needsLinks ? links : nil)
    }
    belfry = Belfry(
      store: try configuration.store.plugin.makeStore(), settings: settings, time: time, zones: zones)
  }

  /// The folders and variables of this process's environment.
  package static var environment: ConfigEnvironment { .ofProcess() }

  /// The config's warnings, one line each.
  package var warnings: [String] { lines(configuration.warnings) }

  /// The warnings that each command tells, one line each.
  package var commandWarnings: [String] { lines(configuration.warnings.filter { !$0.isForDaemons }) }

  private func lines(_ warnings: [ConfigDiagnostic]) -> [String] {
    warnings.map { $0.line(file: configuration.source ?? Configuration.defaultName) }
  }

  /// The config's warnings for a log, which adds their level itself.
  package var logWarnings: [String] {
    ([configuration.storeAbsence].compactMap(\.self) + configuration.warnings).map {
      $0.logLine(file: configuration.source ?? Configuration.defaultName)
    }
  }

  // An error names the sink's place in the config when this machine lacks a library that the sink needs.
  private static func sink(
    _ section: SinkSection, _ transports: Transports, file: String
  ) throws -> any ReminderSink {
    do {
      return try section.plugin.makeSink(transports.forSink(section.name))
    } catch let error as BelfryError {
      guard error.kind == .badConfig else { throw error }
      let message = [error.message, error.hint].compactMap(\.self).joined(separator: "; ")
      let diagnostic = ConfigDiagnostic(.error, at: section.section.position(of: ConfigSchema.typeKey), message)
      throw ConfigurationError.invalid(file: file, diagnostics: [diagnostic])
    }
  }

  private static func named(_ sink: any ReminderSink, _ settings: Settings) -> any ReminderSink {
    // The cast searches all conformances of the program, at each start of a command, so it comes last.
    guard let url = settings.web.publicURL, url.scheme == "https", let subscribed = sink as? any SubscribedSink else {
      return sink
    }
    return subscribed.naming(webFace: url.origin)
  }

  private static func activeSink(
    _ section: SinkSection, _ sink: any ReminderSink, _ settings: Settings, _ links: (any AnswerLinks)?
  ) -> ActiveSink {
    ActiveSink(
      name: section.name, sink: sink, retry: RetryPolicy(maxAge: Double(section.retryMaxAge)),
      quietHours: section.quietHours, rateLimit: section.rateLimit, onFailure: section.onFailure?.value,
      isHere: section.host.map { $0 == ProcessInfo.processInfo.hostName } ?? true,
      addresses: settings.addresses(throughSink: section.name), links: links)
  }
}
