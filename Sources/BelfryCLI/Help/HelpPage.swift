import ArgumentParser

/// The help of one command: abstract, usage, examples, and a line for each option.
///
/// The library's page has twice the lines, but a page must fit a terminal of 24 lines.
struct HelpPage {
  private static let widestLabel = 24

  let command: any ParsableCommand.Type
  /// The command as it is typed, with the commands above it: `belfry list create`.
  let path: String

  /// The lines, none wider than `width` unless it is a single word.
  func lines(width: Int) -> [String] {
    let configuration = command.configuration
    let parameters = CommandParameters(of: command)
    var blocks: [[String]] = [
      configuration.abstract.wrapped(to: width)
        + "Usage: \(path)\(usage(parameters))".wrapped(to: width, hanging: 7)
    ]
    if !configuration.discussion.isEmpty {
      blocks += configuration.discussion.split(separator: "\n\n").map { paragraph(String($0), width) }
    }
    for rows in [
      parameters.own.map { (label: $0.label, words: $0.abstract) },
      subcommands.map { (label: $0.configuration.commandName ?? "", words: $0.configuration.abstract) },
    ] where !rows.isEmpty {
      blocks.append(HelpRows(rows, widestLabel: Self.widestLabel).lines(width: width))
    }
    let ending =
      subcommands.isEmpty
      ? "Also \(parameters.common.joined(separator: ", "))." : "'\(path) COMMAND --help' has the options of each."
    blocks.append(ending.wrapped(to: width))
    return Array(blocks.joined(separator: [""]))
  }

  // The default subcommand is the command itself.
  private var subcommands: [any ParsableCommand.Type] {
    let configuration = command.configuration
    return configuration.subcommands.filter { $0.configuration.shouldDisplay && $0 != configuration.defaultSubcommand }
  }

  private func usage(_ parameters: CommandParameters) -> String {
    var words: [String] = []
    if command.configuration.defaultSubcommand != nil {
      words.append("[COMMAND]")
    } else if !subcommands.isEmpty {
      words.append("COMMAND")
    }
    words += parameters.required
    if parameters.hasOptions { words.append("[OPTION]...") }
    words += parameters.positional
    return words.map { " \($0)" }.joined()
  }

  // Command lines are not wrapped; prose is.
  private func paragraph(_ text: String, _ width: Int) -> [String] {
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.allSatisfy({ $0.contains("belfry ") && !$0.hasSuffix(".") }) else {
      return lines.joined(separator: " ").wrapped(to: width)
    }
    return lines.map { "  " + $0 }
  }
}

/// Labels with descriptions next to them.
struct HelpRows {
  private let rows: [(label: String, words: String)]
  private let labelWidth: Int

  /// - Parameter widestLabel: the most columns for labels; a longer label has a separate line.
  init(_ rows: [(label: String, words: String)], widestLabel: Int) {
    self.rows = rows
    labelWidth = rows.map(\.label.displayWidth).filter { $0 <= widestLabel }.max() ?? 0
  }

  /// The lines, indented by two columns.
  func lines(width: Int) -> [String] {
    rows.flatMap { row -> [String] in
      let start = 2 + labelWidth + 2
      // Without room next to the label, the description goes below it.
      guard width - start >= 20 else {
        return ["  " + row.label] + row.words.wrapped(to: max(width - 4, 1)).map { "    " + $0 }
      }
      let words = row.words.wrapped(to: width - start)
      let indented = words.map { String(repeating: " ", count: start) + $0 }
      guard row.label.displayWidth <= labelWidth else { return ["  " + row.label] + indented }
      return ["  " + row.label.padded(to: labelWidth + 2) + (words.first ?? "")] + indented.dropFirst()
    }
  }
}

extension String {
  /// The line wrapped between words, with a hanging indent.
  func wrappedKeepingIndent(to width: Int) -> String {
    let indent = String(prefix { $0 == " " })
    let room = max(width - indent.count, 1)
    return wrapped(to: room, hanging: min(4, room / 4)).map { indent + $0 }.joined(separator: "\n")
  }

  /// The text wrapped between words into lines of at most `width` columns; a longer word has a separate line.
  func wrapped(to width: Int, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      let isFirst = line.allSatisfy { $0 == " " }
      if !isFirst, line.displayWidth + 1 + String(word).displayWidth > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging) + word
      } else {
        line += isFirst ? String(word) : " \(word)"
      }
    }
    return lines + [line]
  }
}
