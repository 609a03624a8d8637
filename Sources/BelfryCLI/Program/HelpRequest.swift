import ArgumentParser
import BelfryModel

/// The innermost command that the words of a command line name.
struct NamedCommand {
  private(set) var command: any ParsableCommand.Type = BelfryCommand.self
  /// The command as it is typed: `belfry list create`.
  private(set) var path = "belfry"

  init(_ words: [String]) {
    for word in words.prefix(while: { $0 != "--" }) {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
      else { continue }
      command = next
      path += " \(word)"
    }
  }
}

/// A request for help: `--help`, `-h`, `help add`, or a command without its subcommand.
struct HelpRequest {
  private let subject: NamedCommand

  /// The request of a command line; `nil` if `error` is not a request for help.
  ///
  /// - Throws: ``BelfryError`` `.usage` if it is about a command that does not exist.
  init?(_ error: any Error, words: [String]) throws(BelfryError) {
    // The library's own page is all that distinguishes a request for help from `--version` and completion scripts.
    guard BelfryCommand.exitCode(for: error) == .success, BelfryCommand.fullMessage(for: error).hasPrefix("OVERVIEW: ")
    else { return nil }
    if let misspelling = UsageRefusal.misspelling(in: Array(words.drop { $0 == "help" })) { throw misspelling }
    subject = NamedCommand(words)
  }

  /// Prints the page.
  ///
  /// - Throws: as ``Console/print(_:)``.
  func show(on console: Console) throws {
    let width = console.pageWidth
    let lines =
      subject.command == BelfryCommand.self
      ? CommandOverview.lines(width: width, style: console.style)
      : HelpPage(command: subject.command, path: subject.path).lines(width: width)
    try console.print(lines.joined(separator: "\n"))
  }
}
