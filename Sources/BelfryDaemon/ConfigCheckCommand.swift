import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import MustacheTemplates

/// `belfry config check`, which runs in this program because only it parses templates.
struct ConfigCheckCommand {
  let source: Assembly.Source

  /// Prints a valid config's warnings and a summary to standard error.
  ///
  /// - Throws: ``ConfigurationError`` with all errors.
  func run() throws {
    let assembly = try Assembly(source, time: SystemTimeSource(), templates: MustacheLanguage())
    let configuration = assembly.configuration
    let name = configuration.source ?? "the embedded default"
    let certificates = configuration.sinks.filter(\.isEnabled).flatMap { sink in
      sink.certificateFaults().map { key, error in
        ConfigDiagnostic(.warning, at: sink.section.position(of: key), "'\(key)': \(error.message)")
      }
    }
    let secrets = configuration.secrets.compactMap(\.warning)
    let files = ([configuration.storeAbsence].compactMap(\.self) + secrets + certificates)
      .sorted { $0.position < $1.position }
    let warnings = configuration.warnings + files
    for warning in warnings { StandardError.write(warning.line(file: name).visibleLines) }
    let verdict = warnings.isEmpty ? "is in order" : "is valid, with \(counted(warnings.count, "warning"))"
    let parts = "\(configuration.store.type) store, \(counted(assembly.sinks.count, "sink"))"
    StandardError.write("\(name) \(verdict): \(parts).".visibleLines)
  }
}
