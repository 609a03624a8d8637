import ArgumentParser
import BelfryEngine
import BelfryRuntime

/// The options of the log, for the commands that start another program in their place.
struct LogOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("The format of the log on standard error.", valueName: "format"))
  var logFormat: LogFormat?

  @Option(
    name: .long,
    help: ArgumentHelp("The lowest level to log: debug, info (default), warning or error.", valueName: "level"))
  var logLevel: Event.Level?

  /// The words for the other program.
  var words: [String] {
    (logFormat.map { ["--log-format", $0.rawValue] } ?? []) + (logLevel.map { ["--log-level", $0.rawValue] } ?? [])
  }
}
