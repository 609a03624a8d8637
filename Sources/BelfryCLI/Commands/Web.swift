import ArgumentParser
import BelfryEngine
import BelfryPlugins

/// `belfry web`, which becomes `belfry-web`.
struct Web: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Serve the web face until Ctrl-C.",
    discussion: """
      belfry web
      belfry web --open                and sign in with a browser

      It listens where 'web.listen' in the config says: on this machine alone, unless told otherwise.
      """)

  @Flag(name: .long, help: "Open a sign-in link in a browser, or print it where there is none.")
  var open = false

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
    if open { arguments.append("--open") }
    if let logFormat { arguments += ["--log-format", logFormat.rawValue] }
    if let logLevel { arguments += ["--log-level", logLevel.rawValue] }
    try DaemonProgram.become(arguments, program: .web)
  }
}
