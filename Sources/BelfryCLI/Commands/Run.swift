import ArgumentParser
import BelfryEngine
import BelfryPlugins
import FoundationEssentials

/// `belfry run`, which becomes `belfryd`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the daemon until Ctrl-C, or deliver what is due --once.",
    discussion: """
      belfry run                       until Ctrl-C
      belfry run --once                for cron
      belfry run --log-format json 2>>log
      """)

  @Flag(name: .long, help: "Deliver what is due, then exit.")
  var once = false

  @Option(name: .long, help: ArgumentHelp("The format of the log on standard error.", valueName: "format"))
  var logFormat: LogFormat?

  @Option(
    name: .long,
    help: ArgumentHelp("The least level to log: debug, info (default), warning or error.", valueName: "level"))
  var logLevel: Event.Level?

  @OptionGroup var options: CommonOptions

  func run() throws {
    var arguments: [String] = []
    if let config = options.config { arguments += ["--config", config] }
    if once { arguments.append("--once") }
    if let logFormat { arguments += ["--log-format", logFormat.rawValue] }
    if let logLevel { arguments += ["--log-level", logLevel.rawValue] }
    try DaemonProgram.become(arguments)
  }
}
