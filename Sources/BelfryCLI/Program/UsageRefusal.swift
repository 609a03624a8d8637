import ArgumentParser
import BelfryModel
import ConfigKeys

/// The errors of invalid command lines.
enum UsageRefusal {
  /// The parser's error in Belfry's form; `nil` for an error of another kind.
  static func error(_ error: any Error, words: [String]) -> BelfryError? {
    guard BelfryCommand.exitCode(for: error) == .validationFailure else { return nil }
    if let misspelling = misspelling(in: words) { return misspelling }
    let named = NamedCommand(words)
    let path = named.path
    var message = normalized(BelfryCommand.message(for: error))
    if !message.hasPrefix("unknown option"), let unknown = unknownOption(in: words, of: named) { message = unknown }
    return BelfryError(.usage, message, hint: hint(message, words) ?? "'\(path) --help' shows what it takes")
  }

  // The parser tells of what is missing without an option that it does not know, and not of the option.
  private static func unknownOption(in words: [String], of named: NamedCommand) -> String? {
    let arguments = CommandParameters.arguments(of: named.command)
    let names = Set(arguments.flatMap(CommandParameters.names))
    let withValue = Set(
      arguments.filter { $0["kind"]?.stringValue == "option" }.flatMap(CommandParameters.names))
    var last = ""
    for word in words.prefix(while: { $0 != "--" }) {
      defer { last = word }
      let name = String(word.prefix { $0 != "=" })
      guard word.hasPrefix("-"), word != "-", !withValue.contains(last), !names.contains(name) else { continue }
      let isGroup = !word.hasPrefix("--") && word.dropFirst().allSatisfy { names.contains("-\($0)") }
      guard !isGroup else { continue }
      // One letter is near to every other one.
      let nearest = name.hasPrefix("--") ? Suggestion.nearest(to: name, among: names.sorted()) : nil
      return "unknown option '\(name)'\(nearest.map { ". Did you mean '\($0)'?" } ?? "")"
    }
    return nil
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

  /// The commands for words that people type for them.
  private static let synonyms = [
    "add": ["create"], "complete": ["check"], "create": ["add"], "del": ["delete"], "done": ["check"],
    "find": ["show"], "finish": ["check"], "ls": ["show", "list"], "new": ["add", "create"], "postpone": ["snooze"],
    "remove": ["delete", "revoke"], "reopen": ["uncheck"], "rm": ["delete", "revoke"], "search": ["show"],
    "start": ["run"], "tick": ["check"], "today": ["agenda --days 1"], "undone": ["uncheck"],
    "version": ["--version"],
  ]

  // Only the outermost command has a version.
  private static func synonym(of word: String, among known: [String], isOutermost: Bool) -> String? {
    synonyms[word]?.first { candidate in
      known.contains { candidate == $0 || candidate.hasPrefix("\($0) ") } || isOutermost && candidate == "--version"
    }
  }

  /// The error about the first word that should be a command, but is not.
  static func misspelling(in words: [String]) -> BelfryError? {
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
      let names = known.compactMap { $0.configuration.commandName }
      let nearest =
        synonym(of: word, among: names, isOutermost: path == "belfry") ?? Suggestion.nearest(to: word, among: names)
      return BelfryError(
        .usage, "there is no command '\(path) \(word)'",
        hint: nearest.map { "did you mean '\(path) \($0)'?" } ?? "'\(path) --help' lists the commands")
    }
    return nil
  }
}
