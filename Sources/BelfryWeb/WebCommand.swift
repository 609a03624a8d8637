import AnswerTokens
import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryPlugins
import CLinuxEvents
import CivilTime
import FoundationEssentials
import Glibc
import WebAccess

extension LogFormat: ExpressibleByArgument {}
extension Event.Level: ExpressibleByArgument {}

/// `belfry-web`.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry-web", abstract: "The web face.", version: BelfryVersion.current)

  @Option(name: .long, help: ArgumentHelp("The config file.", valueName: "file"))
  var config: String?

  @Option(name: .long, help: ArgumentHelp("How the log on standard error looks.", valueName: "format"))
  var logFormat = LogFormat.text

  @Option(name: .long, help: ArgumentHelp("What the log tells: this and what matters more.", valueName: "level"))
  var logLevel = Event.Level.info

  func serve() async throws {
    let stop = try StopSignal.watch()
    let time = SystemTimeSource()
    let log = ProgramLog.makeEventLog(of: "belfry-web", logFormat, from: logLevel, time: time)
    let assembly = try Assembly(.file(config), time: time)
    for warning in assembly.logWarnings { log(Event(.warning, warning)) }
    let settings = assembly.belfry.settings.web
    let socket = try openSocket(settings)
    let limits = WebLimits()
    let face = WebFace(
      belfry: assembly.belfry, access: AccessFile(store: assembly.belfry.store.location),
      links: AnswerLinks(file: assembly.configuration.answerKeyFile.map(KeyRingFile.init)), threads: StoreThreads(),
      log: log)
    let responder = face.router(settings, at: socket.address, limits: limits).buildResponder()
    log(Event(.info, "listening on \(socket.address)"))
    try await WebServer(socket: socket, limits: limits, responder: responder).run {
      for await _ in stop {}
    }
    log(Event(.info, "stopped"))
  }

  private func openSocket(_ settings: WebSettings) throws -> ListeningSocket {
    guard let given = try ListeningSocket(handedOverIn: ProcessInfo.processInfo.environment) else {
      return try ListeningSocket(listeningOn: settings.listen, mode: settings.socketMode)
    }
    if let fault = settings.exposure(of: given.address) { throw BelfryError(.badConfig, fault) }
    return given
  }
}

/// The program `belfry-web`.
package enum WebProgram {
  /// Serves until SIGTERM or SIGINT, and ends the process with the contract's exit status.
  package static func main() -> Never {
    // First of all, for every thread: a signal that comes now waits for who answers it.
    belfry_signals_block()
    StandardDescriptors.reserveClosed()
    Task { await run() }
    // The tasks have threads of their own.
    while true { poll(nil, 0, -1) }
  }

  private static func run() async -> Never {
    do {
      var command = try WebCommand.parseAsRoot(ProgramArguments.read())
      if let command = command as? WebCommand { try await command.serve() } else { try command.run() }
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
