import ArgumentParser
import BelfryPlugins
import Foundation

/// `belfry`.
///
/// Every command states its `commandName`: asking the runtime for the name of a type costs 4 ms at each start.
struct BelfryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry", abstract: "Checklists that ring.",
    discussion: """
      belfry add Buy milk --due 'tomorrow 9am'
      belfry show
      belfry check 1
      belfry run
      """,
    version: Version.current,
    subcommands: [
      Add.self, Show.self, Edit.self, Check.self, Uncheck.self, Delete.self, Snooze.self, Lists.self,
      ListCommand.self, Pending.self, Plan.self, Agenda.self, Explain.self, Deliveries.self, Act.self, Run.self,
      Sinks.self, Import.self, Store.self, ConfigCommand.self, Initialize.self,
    ])
}

/// The program `belfry`.
public enum BelfryProgram {
  /// Runs one command and ends the process with the contract's exit status.
  public static func main() -> Never {
    StandardDescriptors.reserveClosed()
    signal(SIGPIPE, SIG_IGN)
    do {
      let words = try ProgramArguments.read()
      var command = try parse(words)
      try command.run()
      exit(EXIT_SUCCESS)
    } catch is OutputClosed {
      exit(EXIT_SUCCESS)
    } catch is Declined {
      StandardError.write("Nothing was changed.")
      exit(EXIT_SUCCESS)
    } catch {
      exit(Failure.report(error) { BelfryCommand.exit(withError: $0) })
    }
  }

  // Only what was refused is looked at again: a command that is right loses no time.
  private static func parse(_ words: [String]) throws -> any ParsableCommand {
    do {
      return try BelfryCommand.parseAsRoot(words)
    } catch  where BelfryCommand.exitCode(for: error) == .validationFailure {
      throw Misspelling.error(in: words) ?? error
    }
  }
}
