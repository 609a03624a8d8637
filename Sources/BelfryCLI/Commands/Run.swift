import ArgumentParser
import BelfryCore
import Foundation

/// `belfry run`: becomes `belfryd`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Ring: until Ctrl-C, or --once what is due now.",
    discussion: """
      belfry run                    until Ctrl-C; reminders on standard output, log on standard error
      belfry run --once             for cron
      """)

  @Flag(name: .long, help: "Deliver what is due, then end.")
  var once = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    var arguments: [String] = []
    if let config = options.config { arguments += ["--config", config] }
    if once { arguments.append("--once") }
    try DaemonProgram.become(arguments)
  }
}
