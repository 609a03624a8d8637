import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CLinuxEvents
import CivilTime
import Glibc

struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry-web", abstract: "The web face.", version: BelfryVersion.current)

  @OptionGroup var options: ServiceOptions

  @Flag(name: .long, help: "Open a sign-in link in a browser, or print it where there is none.")
  var open = false

  func serve(_ manager: ServiceManager?) async throws {
    let signals = try ProgramSignals.watch()
    let time = SystemTimeSource()
    let log = ProgramLog.makeEventLog(of: "belfry-web", options.logFormat, from: options.logLevel, time: time)
    let service = WebService(config: options.config, opensLink: open, time: time, manager: manager, log: log)
    try await service.run(signals)
  }
}

package enum WebProgram {
  /// Serves until SIGTERM or SIGINT, and ends the process with the contract's exit status.
  package static func main() -> Never {
    // First, since threads inherit the blocked signals: a signal that arrives now waits for its handler.
    belfry_signals_block()
    StandardDescriptors.reserveClosed()
    let manager = ServiceManager.fromEnvironment()
    Task { await run(manager) }
    // The tasks have threads of their own.
    while true { poll(nil, 0, -1) }
  }

  private static func run(_ manager: ServiceManager?) async -> Never {
    do {
      var command = try WebCommand.parseAsRoot(ProgramArguments.read())
      if let command = command as? WebCommand { try await command.serve(manager) } else { try command.run() }
      leave(EXIT_SUCCESS)
    } catch {
      leave(
        Failure.report(error, program: "belfry-web") { error in
          let code = WebCommand.exitCode(for: error)
          guard !code.isSuccess else { WebCommand.exit(withError: error) }
          StandardError.write(WebCommand.fullMessage(for: error).visibleLines)
          return code.rawValue
        })
    }
  }

  // Not by `exit`, which unloads libraries that other threads still use.
  private static func leave(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }
}
