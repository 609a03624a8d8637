import ArgumentParser

/// The options of every command: the config and when to colour.
protocol SurroundingOptions {
  var config: String? { get }
  var color: Console.ColorChoice { get }
}

/// The options of commands without data.
struct CommonOptions: ParsableArguments, SurroundingOptions {
  @Option(name: .long, help: Surroundings.config, completion: .file())
  var config: String?

  @Option(name: .long, help: Surroundings.color, completion: Surroundings.colors, transform: Surroundings.color(named:))
  var color = Console.ColorChoice.auto
}

/// The options of commands that read or change data.
///
/// Not a group within a group, since the parser's reflection costs half a millisecond a level at each start.
struct DataOptions: ParsableArguments, SurroundingOptions {
  @Option(name: .long, help: Surroundings.config, completion: .file())
  var config: String?

  @Option(name: .long, help: Surroundings.color, completion: Surroundings.colors, transform: Surroundings.color(named:))
  var color = Console.ColorChoice.auto

  @Flag(name: .long, help: "Print JSON.")
  var json = false
}

/// The help and parsing that both sets of options share.
private enum Surroundings {
  static let config = ArgumentHelp("The config file.", valueName: "file")
  static let color = ArgumentHelp("Colour: auto, always or never.", valueName: "when")
  static let colors = CompletionKind.list(Console.ColorChoice.allCases.map(\.rawValue))

  static func color(named name: String) throws -> Console.ColorChoice {
    guard let choice = Console.ColorChoice(rawValue: name) else {
      throw ValidationError("it takes auto, always or never")
    }
    return choice
  }
}

extension ParsableCommand {
  /// Checks the number of `-n`, the most entries to show.
  ///
  /// - Throws: a usage error for a number below 1.
  func validate(limit: Int?) throws {
    if let limit, limit < 1 { throw ValidationError("-n takes a whole number of at least 1.") }
  }
}
