import ArgumentParser
import BelfryCore

/// A word where a command should be that is none.
enum Misspelling {
  /// What to say about the first word that names no command; `nil` where every one does.
  static func error(in words: [String]) -> BelfryError? {
    var command: any ParsableCommand.Type = BelfryCommand.self
    var path = "belfry"
    for word in words {
      let known = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
      if let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) {
        command = next
        path += " \(word)"
        continue
      }
      let nearest = Suggestion.nearest(to: word, among: known.compactMap { $0.configuration.commandName })
      return BelfryError(
        .usage, "there is no command '\(path) \(word)'",
        hint: nearest.map { "did you mean '\(path) \($0)'?" } ?? "'\(path) --help' lists the commands")
    }
    return nil
  }
}
