import ArgumentParser
import BelfryEngine

extension LogFormat: ExpressibleByArgument {}
extension Event.Level: ExpressibleByArgument {}

/// The options of a program that runs as a service.
package struct ServiceOptions: ParsableArguments {
  /// The config file that the user named.
  @Option(name: .long, help: ArgumentHelp("The config file.", valueName: "file"))
  package var config: String?

  @Option(name: .long, help: ArgumentHelp("The format of the log on standard error.", valueName: "format"))
  package var logFormat = LogFormat.text

  /// The least level of the log.
  @Option(name: .long, help: ArgumentHelp("The lowest level to log.", valueName: "level"))
  package var logLevel = Event.Level.info

  package init() {}
}

/// The format of a program's log.
package enum LogFormat: String, CaseIterable, Sendable {
  /// For people: `belfryd: error: the message`, without a time, which systemd and terminals add.
  case text
  /// For programs: an object with `time`, `level` and `message`.
  case json
}
