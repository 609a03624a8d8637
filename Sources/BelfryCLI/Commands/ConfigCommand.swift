import ArgumentParser
import BelfryEngine
import BelfryRuntime
import FoundationEssentials
import OrderedJSON

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "config", abstract: "Check, show or locate the config.",
    discussion: """
      belfry config check             all errors, with line and column
      belfry config show              with defaults, without secrets
      belfry config route -l Work     the sinks of a list, or its steps
      """,
    subcommands: [Check.self, Show.self, Path.self, Route.self, Schema.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Report all errors of a config, with line and column.",
      discussion: """
        belfry config check
        belfry config check new.yaml
        belfry config check --probe          also connects
        """)

    @Argument(
      help: ArgumentHelp("The config file, - for standard input; the one in use without it.", valueName: "file"))
    var file: String?

    @Flag(name: .long, help: "Also connect to the server of each sink; send nothing.")
    var probe = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
      if probe, file == "-" { throw ValidationError("--probe needs a file, whose secrets and sinks it can use.") }
    }

    func run() throws {
      try DaemonProgram.become(
        ["--check"] + (probe ? ["--probe"] : [])
          + ((file ?? options.config).map { DaemonProgram.option("--config", $0) } ?? []))
    }
  }

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the path of the config in use.",
      discussion: """
        $EDITOR "$(belfry config path)"
        """)

    @OptionGroup var options: CommonOptions

    func run() throws {
      let session = try Session(options)
      if let source = session.assembly.configuration.source {
        try session.console.print(source)
      } else {
        session.console.report("No config file: the embedded default is in use.")
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print the config in use, with defaults, without secrets.",
      discussion: """
        belfry config show
        """)

    @OptionGroup var options: CommonOptions

    func run() throws {
      let session = try Session(options)
      try session.console.print("# \(session.configName)\n\(session.assembly.configuration.effectiveText)".visibleLines)
    }
  }

  /// `belfry config schema`, which makes Config/belfry.schema.json.
  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print a JSON Schema of the config, for editors.",
      discussion: """
        belfry config schema > belfry.schema.json
        """, shouldDisplay: false)

    @OptionGroup var options: CommonOptions

    func run() throws {
      let console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
      try console.print(Registry.schema.json.serialized(pretty: true))
    }
  }
}
