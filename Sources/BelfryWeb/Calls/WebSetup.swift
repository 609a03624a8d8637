import BelfryEngine
import BelfryRuntime

/// The parts of the config that pages and the API show.
struct WebSetup: Sendable {
  /// The config's name in messages.
  var name = ""
  /// The config's file; `nil` if there is none.
  var source: String?
  /// The program that tests sinks.
  var daemon = ""
  /// The program that runs the checks of `doctor`.
  var command = ""
  /// The config as it was read; `nil` for none.
  var configuration: Configuration?
  /// The config's warnings, one line each.
  var warnings: [String] = []
  /// The enabled sinks.
  var sinks: [ActiveSink] = []
  /// The sections of all sinks.
  var sections: [SinkSection] = []
}

extension WebSetup {
  private static func program(_ name: String) -> String { (try? InstalledProgram.path(of: name)) ?? name }

  /// The setup of an assembled config.
  init(_ assembly: Assembly) {
    let configuration = assembly.configuration
    self.init(
      name: configuration.source ?? Configuration.defaultName, source: configuration.source,
      daemon: Self.program("belfryd"), command: Self.program("belfry"), configuration: configuration,
      warnings: assembly.warnings, sinks: assembly.sinks, sections: configuration.sinks)
  }
}
