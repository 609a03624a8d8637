import ArgumentParser
import BelfryRuntime
import FoundationEssentials

/// `belfry run`, which replaces itself with `belfryd`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "run", abstract: "Run the daemon until Ctrl-C, or once for what is due.",
    discussion: """
      belfry run                       until Ctrl-C
      belfry run --once                for cron
      belfry run --log-format json 2>>log
      """)

  @Flag(name: .long, help: "Deliver what is due, then exit.")
  var once = false

  @OptionGroup var log: LogOptions

  @OptionGroup var options: CommonOptions

  func run() throws {
    var arguments: [String] = []
    if let config = options.config { arguments += ["--config", config] }
    if once { arguments.append("--once") }
    try DaemonProgram.become(arguments + log.words)
  }
}
