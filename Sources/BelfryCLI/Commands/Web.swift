import ArgumentParser
import BelfryRuntime

/// `belfry web`, which replaces itself with `belfry-web`.
struct Web: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "web", abstract: "Serve the web face until Ctrl-C.",
    discussion: """
      belfry web
      belfry web --open                and sign in with a browser

      It listens where 'web.listen' in the config says: on this machine alone, unless told otherwise.
      """)

  @Flag(name: .long, help: "Open a sign-in link in a browser, or print it where there is none.")
  var open = false

  @OptionGroup var log: LogOptions

  @OptionGroup var options: CommonOptions

  func run() throws {
    var arguments: [String] = []
    if let config = options.config { arguments += ["--config", config] }
    if open { arguments.append("--open") }
    try DaemonProgram.become(arguments + log.words, program: .web)
  }
}
