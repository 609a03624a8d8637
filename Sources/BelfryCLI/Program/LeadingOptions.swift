import ArgumentParser
import BelfryModel

/// A command line on which the options of every command may come first: `belfry --config FILE show`.
struct LeadingOptions {
  /// The words for the parser. The options follow the command, so that a later option of the same name wins.
  let words: [String]

  /// The words of a command line.
  ///
  /// - Throws: ``BelfryError`` `.usage` for an option without its value.
  init(_ given: [String]) throws(BelfryError) {
    var (leading, rest): ([String], ArraySlice<String>) = ([], given[...])
    while let word = rest.first, let name = Self.names.first(where: { Self.isOption($0, word) }) {
      rest.removeFirst()
      leading.append(word)
      guard word == name else { continue }
      guard let value = rest.popFirst() else {
        throw BelfryError(.usage, "missing value for '\(name)'", hint: "'belfry --help' lists the commands")
      }
      leading.append(value)
    }
    guard !leading.isEmpty else {
      words = given
      return
    }
    let command = Self.command(in: rest)
    // Without a command, the options could change nothing: `belfry --config FILE --version`.
    words = command.isEmpty ? Array(rest) : command + leading + rest.dropFirst(command.count)
  }

  private static let names = ["--config", "--color"]

  // Compared byte by byte, since a `=` makes one Character with a combining mark at the start of the value.
  private static func isOption(_ name: String, _ word: String) -> Bool {
    word == name || (word.hasPrefix(name) && word.utf8.starts(with: "\(name)=".utf8))
  }

  /// The words that name the command and its subcommands.
  private static func command(in words: ArraySlice<String>) -> [String] {
    var known = BelfryCommand.configuration.subcommands
    return Array(
      words.prefix { word in
        guard let next = known.first(where: { $0.configuration.commandName == word }) else { return false }
        known = next.configuration.subcommands
        return true
      })
  }
}
