import ArgumentParser

/// The command that the words of a command line name, as far as they do.
struct NamedCommand {
  private(set) var command: any ParsableCommand.Type = BelfryCommand.self
  /// As it is typed: `belfry list create`.
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

/// A wish to read help, however it was spelt: `--help`, `-h`, `help add`, or a command that needs another behind it.
struct HelpRequest {
  private let subject: NamedCommand

  /// What the words of a command line ask help for; `nil` where `error` is no wish for help.
  init?(_ error: any Error, words: [String]) {
    // The library tells such a wish from `--version` and completion scripts by its own page alone.
    guard BelfryCommand.exitCode(for: error) == .success, BelfryCommand.fullMessage(for: error).hasPrefix("OVERVIEW: ")
    else { return nil }
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
