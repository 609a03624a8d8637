import ArgumentParser

/// The program `belfry`.
package enum BelfryProgram {
  static let name = "belfry"

  /// The option with which `belfryd` runs the command of `belfry` that follows it.
  package static let handOver = "--as-belfry"
}

extension CommandConfiguration {
  /// The configuration of a command directly below `belfry`.
  ///
  /// Such a command is parsed without the others. Without the name of its super-command the parser would read the words
  /// three times, twice for a request for a completion script, which only `belfry` itself has.
  init(
    topLevel name: String, abstract: String, discussion: String, shouldDisplay: Bool = true,
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, _superCommandName: BelfryProgram.name, abstract: abstract, discussion: discussion,
      shouldDisplay: shouldDisplay, subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}
