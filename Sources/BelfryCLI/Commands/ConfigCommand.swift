import ArgumentParser
import BelfryCore
import BelfryPlugins
import Foundation
import OrderedJSON

/// `belfry config`.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the config, or tell where it is.", subcommands: [Check.self, Path.self])

  /// `belfry config check`.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Tell everything that is wrong with a config, each with its line and column.")

    @Argument(help: ArgumentHelp("The file, instead of the one in use; - is standard input.", valueName: "file"))
    var file: String?

    @Flag(name: .long, help: "Also connect to where each sink sends; nothing is sent.")
    var probe = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
      if probe, file == "-" { throw ValidationError("--probe needs a file, whose secrets and sinks it can use.") }
    }

    func run() throws {
      let console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
      let source: Assembly.Source =
        file == "-" ? .standardInput(Array(try InputFile.read("-"))) : .file(file ?? options.config)
      let assembly = try Assembly(source, time: SystemTimeSource())
      for warning in assembly.warnings { console.tell(warning) }
      let name = assembly.configuration.source ?? "the embedded default"
      console.tell("\(name) is in order: \(assembly.configuration.store.type) store, \(assembly.sinks.count) sink(s).")
      guard probe else { return }
      try DaemonProgram.become(["--probe"] + ((file ?? options.config).map { ["--config", $0] } ?? []))
    }
  }

  /// `belfry config path`.
  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the path of the config in use.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      let session = try Session(options)
      if let source = session.assembly.configuration.source {
        try session.console.print(source)
      } else {
        session.console.tell("No config file: the embedded default is in use.")
      }
    }
  }
}
