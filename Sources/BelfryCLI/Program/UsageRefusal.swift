import ArgumentParser
import BelfryModel
import ConfigKeys

/// The errors of invalid command lines.
enum UsageRefusal {
  /// The parser's error in Belfry's form; `nil` for an error of another kind.
  static func error(_ error: any Error, words: [String]) -> BelfryError? {
    guard BelfryCommand.exitCode(for: error) == .validationFailure else { return nil }
    if let misspelling = misspelling(in: words) { return misspelling }
    let path = NamedCommand(words).path
    let message = normalized(BelfryCommand.message(for: error))
    return BelfryError(.usage, message, hint: hint(message, words) ?? "'\(path) --help' shows what it takes")
  }

  // A text that starts with a hyphen was read as an option.
  private static func hint(_ message: String, _ words: [String]) -> String? {
    if message.hasPrefix("missing value"), let advice = OptionWords.advice(words) { return "write \(advice)" }
    guard message.hasPrefix("unknown option"), let text = words.first(where: isText) else { return nil }
    return "write -- before a text that starts with a hyphen: -- \(text.shellQuoted)"
  }

  // Like `- milk` and `-5`, since no option has a space, and each begins with a letter.
  private static func isText(_ word: String) -> Bool {
    guard word.first == "-", let second = word.dropFirst().first, second != "-" else { return false }
    return word.contains(" ") || !second.isLetter
  }

  // Brings it into the form of all messages, a part of a sentence, with a value's name in capitals as in the help.
  private static func normalized(_ message: String) -> String {
    var words = message
    while let open = words.firstIndex(of: "<"), let close = words[open...].firstIndex(of: ">") {
      let name = words[words.index(after: open)..<close].uppercased()
      words.replaceSubrange(open...close, with: name)
    }
    words = words.replacing(" ...", with: "...")
    if words.hasSuffix(".") { words.removeLast() }
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  /// The error about the first word that should be a command, but is not.
  private static func misspelling(in words: [String]) -> BelfryError? {
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
