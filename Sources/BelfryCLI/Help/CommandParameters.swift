import ArgumentParser
import OrderedJSON

/// The arguments, options and flags of a command, for its help.
struct CommandParameters {
  /// An argument, option or flag.
  struct Parameter {
    /// `-l, --list LIST`, `--create`, `TEXT`.
    let label: String
    let abstract: String
  }

  /// The command's own parameters, in the order of declaration.
  private(set) var own: [Parameter] = []
  /// The options of almost every command, for one line.
  private(set) var common: [String] = []
  /// The required options, as in a call: `--to FILE.yaml`.
  private(set) var required: [String] = []
  /// The arguments, as in a call: `TEXT...`, `[FILE]`.
  private(set) var positional: [String] = []
  /// True if it has optional options that are not common.
  private(set) var hasOptions = false

  /// The parameters that the argument parser lists.
  init(of command: any ParsableCommand.Type) {
    for argument in Self.arguments(of: command) where argument["shouldDisplay"]?.boolValue == true { add(argument) }
  }

  /// The arguments, options and flags as the argument parser describes them, with those of its default subcommand.
  static func arguments(of command: any ParsableCommand.Type) -> [JSONValue] {
    let description = try? JSONValue(parsing: command._dumpHelp().utf8)
    let own = description?["command"]?["arguments"]?.arrayValue ?? []
    return own + (command.configuration.defaultSubcommand.map(arguments) ?? [])
  }

  /// The names of an option or flag: `-l`, `--list`.
  static func names(of argument: JSONValue) -> [String] {
    (argument["names"]?.arrayValue ?? []).compactMap { name in
      name["name"]?.stringValue.map { name["kind"]?.stringValue == "long" ? "--\($0)" : "-\($0)" }
    }
  }

  private mutating func add(_ argument: JSONValue) {
    let names = Self.names(of: argument).sorted { $0.count < $1.count }
    let value = argument["kind"]?.stringValue == "flag" ? "" : Self.value(of: argument)
    let isOptional = argument["isOptional"]?.boolValue == true
    let abstract = argument["abstract"]?.stringValue ?? ""
    guard let name = names.last else {
      let repeated = argument["isRepeating"]?.boolValue == true ? "\(value)..." : value
      positional.append(isOptional ? "[\(repeated)]" : repeated)
      own.append(Parameter(label: value, abstract: abstract))
      return
    }
    if ["--config", "--color", "--json", "--help", "--version"].contains(name) {
      let isNew = name != "--version" && !common.contains { $0.hasPrefix(name) }
      if isNew { common.append(value.isEmpty ? name : "\(name) \(value)") }
      return
    }
    let call = value.isEmpty ? name : "\(name) \(value)"
    own.append(
      Parameter(
        label: value.isEmpty ? names.joined(separator: ", ") : "\(names.joined(separator: ", ")) \(value)",
        abstract: abstract))
    if isOptional { hasOptions = true } else { required.append(call) }
  }

  // A short list of choices replaces the value's name.
  private static func value(of argument: JSONValue) -> String {
    let words = argument["allValues"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let choice = words.joined(separator: "|")
    return words.isEmpty || choice.count > 20 ? (argument["valueName"]?.stringValue ?? "").uppercased() : choice
  }
}
