import BelfryEngine
import BelfryPlugins

/// The parts of the config that pages and the API show.
struct WebSetup: Sendable {
  /// The config's name in messages.
  var name = ""
  /// The config's file; `nil` where there is none.
  var source: String?
  /// The program that tests sinks.
  var daemon = ""
  /// The enabled sinks.
  var sinks: [ActiveSink] = []
  /// The sections of all sinks.
  var sections: [SinkSection] = []
}

extension WebSetup {
  /// The setup of an assembled config.
  init(_ assembly: Assembly) {
    let configuration = assembly.configuration
    self.init(
      name: configuration.source ?? Configuration.defaultName, source: configuration.source,
      daemon: (try? InstalledProgram.path(of: "belfryd")) ?? "belfryd", sinks: assembly.sinks,
      sections: configuration.sinks)
  }
}
