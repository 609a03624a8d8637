import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import OrderedJSON

/// `belfry sinks`.
struct Sinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sinks", abstract: "Show the sinks of the config, or test one.",
    discussion: """
      belfry sinks
      belfry sinks test mail -v
      """,
    subcommands: [ListSinks.self, TestSink.self], defaultSubcommand: ListSinks.self)
}

/// `belfry sinks` itself.
struct ListSinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the sinks of the config.",
    discussion: """
      belfry sinks
      """)

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let sections = session.assembly.configuration.sinks
    let (problems, zone) = try session.belfry.read { (try $0.view.sinkProblems(), $0.planner.floatingZone) }
    func problem(_ section: SinkSection) -> SinkProblem? {
      section.isEnabled ? problems.first { $0.sink == section.name } : nil
    }
    if options.json {
      try session.console.print(
        .array(
          sections.map {
            [
              "name": .string($0.name), "type": .string($0.type), "enabled": .bool($0.isEnabled),
              "problem": problem($0)?.json(zone) ?? .null,
            ]
          }))
      return
    }
    guard !sections.isEmpty else { return session.console.report("The config has no sinks: nothing will ring.") }
    let style = session.console.style
    var table = Table([.init(title: "Sink"), .init(title: "Type"), .init(title: "State")])
    for section in sections {
      let state =
        if let problem = problem(section) {
          Table.Cell(problem.words(zone)) { problem.kind == .paused ? style.red($0) : style.yellow($0) }
        } else {
          section.isEnabled ? Table.Cell("enabled") : Table.Cell("disabled", style.dim)
        }
      table.append([Table.Cell(section.name), Table.Cell(section.type, style.dim), state])
    }
    try session.console.print(table)
  }
}

extension SinkProblem {
  /// The problem on one line: its kind, since when, and why.
  func words(_ zone: Zone) -> String {
    let state = kind == .paused ? "paused until belfryd restarts" : "needs you"
    return "\(state), since \(zone.readable(since)): \(reason)"
  }

  /// The problem as `--json` shows it.
  fileprivate func json(_ zone: Zone) -> JSONValue {
    ["kind": .string(kind.name), "since": .string(zone.rfc3339(since)), "reason": .string(reason)]
  }
}

/// `belfry sinks test`, which `belfryd` runs through the same code as a reminder.
struct TestSink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test message; succeed only if the server accepts it.",
    discussion: """
      belfry sinks test mail
      belfry sinks test mail -v        with the whole dialogue
      """)

  @Argument(help: ArgumentHelp("The sink's name in the config.", valueName: "name"), completion: Completions.sinks)
  var name: String

  @Flag(name: .shortAndLong, help: "Show the dialogue without secrets.")
  var verbose = false

  @OptionGroup var options: DataOptions

  func run() throws {
    var arguments = DaemonProgram.option("--test-sink", name)
    if let config = options.config { arguments += DaemonProgram.option("--config", config) }
    if verbose { arguments.append("--verbose") }
    if options.json { arguments.append("--json") }
    try DaemonProgram.become(arguments)
  }
}
