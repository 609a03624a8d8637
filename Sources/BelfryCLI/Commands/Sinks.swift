import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import OrderedJSON

struct Sinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "sinks", abstract: "Show the sinks of the config, or test one.",
    discussion: """
      belfry sinks
      belfry sinks test mail -v
      """,
    subcommands: [ListSinks.self, TestSink.self], defaultSubcommand: ListSinks.self)
}

/// `belfry sinks` without a subcommand.
struct ListSinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the sinks of the config.",
    discussion: """
      belfry sinks
      """)

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let (sinks, zone) = try session.belfry.read { reading in
      (
        SinkState.all(
          session.assembly.configuration.sinks, session.assembly.sinks, try reading.view.sinkProblems(),
          try reading.view.inboxes()),
        reading.planner.floatingZone
      )
    }
    if options.json { return try session.console.print(.array(sinks.map { $0.json(zone) })) }
    guard !sinks.isEmpty else { return session.console.report("The config has no sinks: nothing will ring.") }
    let style = session.console.style
    var table = Table([.init(title: "Sink"), .init(title: "Type"), .init(title: "State")])
    for sink in sinks {
      let state =
        if let problems = sink.problems(zone) {
          Table.Cell(problems) { sink.problem?.kind == .paused ? style.red($0) : style.yellow($0) }
        } else if sink.section.isEnabled {
          Table.Cell(sink.channel == nil ? "enabled" : "enabled, takes answers")
        } else {
          Table.Cell("disabled", style.dim)
        }
      table.append([Table.Cell(sink.section.name), Table.Cell(sink.section.type, style.dim), state])
    }
    try session.console.print(table)
  }
}

/// `belfry sinks test`, which `belfryd` carries out through the same code as a reminder.
struct TestSink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test message; succeed only if the server accepts it.",
    discussion: """
      belfry sinks test mail
      belfry sinks test mail -v         with the whole dialogue
      belfry sinks test phone --answer  waits a minute for a press of its buttons
      """)

  @Argument(help: ArgumentHelp("The sink's name in the config.", valueName: "name"), completion: Completions.sinks)
  var name: String

  @Option(
    help: ArgumentHelp("Its only recipient: a mail address, or the name of a browser.", valueName: "recipient"))
  var to: String?

  @Flag(name: .shortAndLong, help: "Show the dialogue without secrets.")
  var verbose = false

  @Flag(help: "Wait for the press of a button of the test, and say what came back.")
  var answer = false

  @OptionGroup var options: DataOptions

  func run() throws {
    var arguments = DaemonProgram.option("--test-sink", name)
    if let config = options.config { arguments += DaemonProgram.option("--config", config) }
    if let to { arguments += DaemonProgram.option("--recipient", to) }
    if verbose { arguments.append("--verbose") }
    if answer { arguments.append("--answer") }
    if options.json { arguments.append("--json") }
    try DaemonProgram.become(arguments)
  }
}
