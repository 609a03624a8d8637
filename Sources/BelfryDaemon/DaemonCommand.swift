import ArgumentParser
import BelfryCLI
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CLinuxEvents
import CivilTime
import CurlTransport
import FoundationEssentials
import Glibc
import MustacheTemplates
import Transport

struct DaemonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfryd", abstract: "The daemon that delivers reminders.", version: BelfryVersion.current)

  @OptionGroup var options: ServiceOptions

  @Flag(name: .long, help: "Deliver what is due, then exit.")
  var once = false

  @Option(name: .long, help: ArgumentHelp("Send a test through a sink, then exit.", visibility: .hidden))
  var testSink: String?

  @Option(name: .long, help: ArgumentHelp("With a test: the only recipient.", visibility: .hidden))
  var recipient: String?

  @Option(name: .long, help: ArgumentHelp("Mail a person a sign-in link, then exit.", visibility: .hidden))
  var sendLink: String?

  @Option(name: .long, help: ArgumentHelp("The beginning of the URL of a sign-in link.", visibility: .hidden))
  var origin = ""

  @Flag(name: .long, help: ArgumentHelp("Check the config, - for standard input, then exit.", visibility: .hidden))
  var check = false

  @Flag(name: .long, help: ArgumentHelp("With a check: connect to the server of each sink.", visibility: .hidden))
  var probe = false

  @Flag(name: .shortAndLong, help: ArgumentHelp("With a test: show the dialogue.", visibility: .hidden))
  var verbose = false

  @Flag(name: .long, help: ArgumentHelp("With a test: wait for the press of a button.", visibility: .hidden))
  var answer = false

  @Flag(name: .long, help: ArgumentHelp("With a test: print JSON.", visibility: .hidden))
  var json = false

  /// True if another program of Belfry runs it for a single task.
  var isPartOfBelfry: Bool { testSink != nil || sendLink != nil || check }

  func run() throws {
    if isPartOfBelfry { belfry_signals_unblock() }
    if let testSink {
      let command = SinkTestCommand(config: options.config, isVerbose: verbose, isJSON: json)
      return try command.test(testSink, to: recipient, waitsForAnswer: answer)
    }
    if let sendLink { return try SignInLinkCommand(config: options.config).send(to: sendLink, origin: origin) }
    if check { return try checkConfig() }
    try serve()
  }

  private func checkConfig() throws {
    try ConfigCheckCommand(source: options.config == "-" ? .standardInput : .file(options.config)).run()
    if probe { try SinkTestCommand(config: options.config, isVerbose: verbose, isJSON: json).probe() }
  }

  private func serve() throws {
    // Before any thread starts, since it changes the environment.
    let manager = ServiceManager.fromEnvironment()
    let signals = try SignalWatch(statusAtDeadline: once ? BelfryError.Kind.tryAgain.rawValue : EXIT_SUCCESS)
    let waker = try Waker(signals: signals, time: SystemTimeSource(), pingInterval: manager?.pingInterval)
    let log = ProgramLog.makeEventLog(
      of: "belfryd", options.logFormat, from: options.logLevel, time: SystemTimeSource())
    let transport = CurlTransport()
    let transports = Transports(http: transport, mail: transport)
    let read = {
      let assembly = try Assembly(
        .file(options.config), time: SystemTimeSource(), transports: transports, templates: MustacheLanguage()
      ) { SignedLinks($0, log: log) }
      for warning in assembly.logWarnings { log(Event(.warning, warning)) }
      if assembly.sinks.isEmpty {
        log(Event(.warning, "no sink is enabled: reminders will fire and go nowhere"))
      }
      return assembly
    }
    let assembly = try read()
    let daemon = Daemon(
      belfry: assembly.belfry, sinks: assembly.sinks, waker: waker, http: transport, manager: manager, log: log
    ) {
      let anew = try read()
      // Without the file the default config would apply, which gives up the deliveries of all other sinks.
      if let source = assembly.configuration.source, anew.configuration.source == nil {
        throw BelfryError(.badConfig, "the config file \(source) is gone", hint: "put it back, or restart belfryd")
      }
      return (anew.belfry, anew.sinks)
    }
    if once {
      if try daemon.runOnce() {
        throw BelfryError(
          .tryAgain, "a due delivery was deferred",
          hint: "'belfry deliveries --state pending' shows it; run again later")
      }
    } else {
      try daemon.run()
    }
  }
}

package enum DaemonProgram {
  /// Runs the daemon and ends the process with the contract's exit status.
  package static func main() -> Never {
    // Must be first, since threads inherit it: a signal that arrives now waits for the code that handles it.
    belfry_signals_block()
    StandardDescriptors.reserveClosed()
    var name = "belfryd"
    do {
      let words = try ProgramArguments.read()
      if words.first == BelfryProgram.handOver {
        belfry_signals_unblock()
        BelfryProgram.runHandedOver(Array(words.dropFirst()))
      }
      var command = try DaemonCommand.parseAsRoot(words)
      if let daemon = command as? DaemonCommand, daemon.isPartOfBelfry { name = "belfry" }
      try command.run()
      leave(EXIT_SUCCESS)
    } catch {
      leave(
        Failure.report(error, program: name) { error in
          let code = DaemonCommand.exitCode(for: error)
          guard !code.isSuccess else { DaemonCommand.exit(withError: error) }
          // The message quotes arguments, which may contain control characters.
          StandardError.write(DaemonCommand.fullMessage(for: error).visibleLines)
          return code.rawValue
        })
    }
  }

  // Not by `exit`, which unloads libraries that other threads still use for their transfers.
  private static func leave(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }
}
