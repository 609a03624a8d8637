import ArgumentParser
import OrderedJSON

/// What a command takes, as its help tells it.
struct CommandParameters {
  /// An argument, option or flag.
  struct Parameter {
    /// `-l, --list LIST`, `--create`, `TEXT`.
    let label: String
    let abstract: String
  }

  /// What is the command's own, in the order of its declaration.
  private(set) var own: [Parameter] = []
  /// What almost every command has: told in one line.
  private(set) var common: [String] = []
  /// Options that have to be given, as a call has them: `--to FILE.yaml`.
  private(set) var required: [String] = []
  /// Arguments, as a call has them: `TEXT...`, `[FILE]`.
  private(set) var positional: [String] = []
  /// Whether there are options of its own.
  private(set) var hasOptions = false

  /// Read from what the argument parser knows; nothing where it knows nothing.
  init(of command: any ParsableCommand.Type) {
    add(command)
    if let other = command.configuration.defaultSubcommand { add(other) }
  }

  private mutating func add(_ command: any ParsableCommand.Type) {
    let description = try? JSONValue(parsing: command._dumpHelp().utf8)
    for argument in description?["command"]?["arguments"]?.arrayValue ?? []
    where argument["shouldDisplay"]?.boolValue == true {
      add(argument)
    }
  }

  private mutating func add(_ argument: JSONValue) {
    let names = (argument["names"]?.arrayValue ?? []).compactMap(Self.spelling).sorted { $0.count < $1.count }
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

  private static func spelling(_ name: JSONValue) -> String? {
    guard let text = name["name"]?.stringValue else { return nil }
    return name["kind"]?.stringValue == "long" ? "--\(text)" : "-\(text)"
  }

  // A choice of a few words is the name of its value.
  private static func value(of argument: JSONValue) -> String {
    let words = argument["allValues"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let choice = words.joined(separator: "|")
    return words.isEmpty || choice.count > 20 ? (argument["valueName"]?.stringValue ?? "").uppercased() : choice
  }
}
