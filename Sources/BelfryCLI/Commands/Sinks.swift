import ArgumentParser
import BelfryCore
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
    if options.json {
      try session.console.print(
        .array(
          sections.map {
            ["name": .string($0.name), "type": .string($0.type), "enabled": .bool($0.isEnabled)]
          }))
      return
    }
    guard !sections.isEmpty else { return session.console.tell("The config has no sinks: nothing will ring.") }
    let style = session.console.style
    var table = Table([.init(title: "Sink"), .init(title: "Type"), .init(title: "State")])
    for section in sections {
      table.append([
        Table.Cell(section.name), Table.Cell(section.type, style.dim),
        section.isEnabled ? Table.Cell("enabled") : Table.Cell("disabled", style.dim),
      ])
    }
    try session.console.print(
      table.lines(width: session.console.width, style: style).joined(separator: "\n"))
  }
}

/// `belfry sinks test`: carried out by `belfryd`, over the very way of a reminder.
struct TestSink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test through a sink; succeeds only if the other side says yes.",
    discussion: """
      belfry sinks test mail
      belfry sinks test mail -v        with the whole dialogue
      """)

  @Argument(help: ArgumentHelp("The sink's name in the config.", valueName: "name"), completion: Completions.sinks)
  var name: String

  @Flag(name: .shortAndLong, help: "Show the dialogue, without the secrets.")
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
