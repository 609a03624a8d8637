import ArgumentParser
import BelfryModel
import BelfryRuntime
import FoundationEssentials
import Glibc

/// `belfry`.
///
/// Every command states its `commandName`, since deriving it from the type's name costs 4 ms at each start.
struct BelfryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: BelfryProgram.name, abstract: "Checklists that ring.", version: BelfryVersion.current,
    subcommands: CommandOverview.commands)
}

extension BelfryProgram {
  /// Runs one command and ends the process with the contract's exit status.
  package static func main() -> Never {
    StandardDescriptors.reserveClosed()
    run(ProgramArguments.read)
  }

  /// Runs the command that `belfry` has handed over, in `belfryd`.
  package static func runHandedOver(_ words: [String]) -> Never {
    ServerStores.areReachable.store(true, ordering: .relaxed)
    run { words }
  }

  private static func run(_ words: () throws -> [String]) -> Never {
    signal(SIGPIPE, SIG_IGN)
    do {
      try perform(OptionWords(LeadingOptions(words()).words).words)
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

  private static func perform(_ words: [String]) throws {
    if words == ["--version"] { return try Console.write(BelfryVersion.current + "\n") }
    do {
      var command = try parsed(words)
      try command.run()
    } catch {
      // Only a failed command is checked for a request for help, so that a correct command loses no time.
      if let help = try HelpRequest(error, words: words) {
        return try help.show(on: Console(color: .auto, environment: ProcessInfo.processInfo.environment))
      }
      throw UsageRefusal.error(error, words: words) ?? error
    }
  }

  // Parsing with all commands takes longer than most commands run, so only the command that is named first is parsed.
  // If that fails, the error comes from parsing with all commands.
  private static func parsed(_ words: [String]) throws -> any ParsableCommand {
    if let named = CommandOverview.commands.first(where: { $0.configuration.commandName == words.first }),
      let command = try? named.parseAsRoot(Array(words.dropFirst()))
    {
      return command
    }
    return try BelfryCommand.parseAsRoot(words)
  }
}
