import BelfryCore
import BelfryPlugins
import MustacheTemplates

/// `belfry config check`, which this program carries out because it has the language of the templates.
struct ConfigCheckCommand {
  let source: Assembly.Source

  /// Reports on standard error whether a config is in order; warnings do not count against it.
  ///
  /// - Throws: ``ConfigurationError`` with everything that is wrong.
  func run() throws {
    let assembly = try Assembly(source, time: SystemTimeSource(), templates: MustacheLanguage())
    let configuration = assembly.configuration
    let name = configuration.source ?? "the embedded default"
    let faults = configuration.sinks.filter(\.isEnabled).flatMap { sink in
      sink.certificateFaults().map { key, error in
        ConfigDiagnostic(.warning, at: sink.section.position(of: key), "'\(key)': \(error.message)").line(file: name)
      }
    }
    for warning in assembly.warnings + faults { StandardError.write(warning.visibleLines) }
    StandardError.write(
      "\(name) is in order: \(configuration.store.type) store, \(assembly.sinks.count) sink(s).".visibleLines)
  }
}
