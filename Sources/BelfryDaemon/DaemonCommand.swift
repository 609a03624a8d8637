import ArgumentParser
import BelfryCore
import BelfryPlugins
import Foundation

/// `belfryd`.
struct DaemonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfryd", abstract: "The daemon that rings.", version: Version.current)

  @Option(name: .long, help: ArgumentHelp("The config file.", valueName: "file"))
  var config: String?

  @Flag(name: .long, help: "Deliver what is due, then end.")
  var once = false

  func run() throws {
    // Before anything else: signals are blocked for every thread that starts later.
    let waker = try Waker()
    let log = DaemonLog.makeEventLog()
    let assembly = try Assembly(.file(config), time: SystemTimeSource())
    for warning in assembly.warnings { log(Event(.warning, warning)) }
    if assembly.sinks.isEmpty {
      log(Event(.warning, "no sink is enabled: reminders will fire and go nowhere"))
    }
    let daemon = Daemon(belfry: assembly.belfry, sinks: assembly.sinks, waker: waker, log: log)
    if once {
      if try daemon.runOnce() {
        throw BelfryError(
          .tryAgain, "something due was put off", hint: "'belfry deliveries --state pending' shows it; run again later")
      }
    } else {
      try daemon.run()
    }
  }
}

/// The program `belfryd`.
public enum DaemonProgram {
  /// Runs the daemon and ends the process with the contract's exit status.
  public static func main() -> Never {
    StandardDescriptors.reserveClosed()
    do {
      var command = try DaemonCommand.parseAsRoot(ProgramArguments.read())
      try command.run()
      exit(EXIT_SUCCESS)
    } catch {
      exit(Failure.report(error, program: "belfryd") { DaemonCommand.exit(withError: $0) })
    }
  }
}
