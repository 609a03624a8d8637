import BelfryModel
import MessageText
import OrderedJSON

/// A text with entities: bold headlines, and commands that a tap copies. No text of an item becomes markup.
struct FormattedText {
  /// The longest text, in UTF-16 code units, in which the offsets of entities count too.
  static let longest = 4_096
  /// The longest part of a text with the ways to answer one reminder, in UTF-16 code units.
  private static let longestWays = 2_048

  private(set) var text = ""
  /// The entities, in order.
  private(set) var entities: [JSONValue] = []
  /// The number of reminders that have a place in the text.
  private(set) var reminders = 0
  private var length = 0

  /// The text of a message: each reminder with the ways to answer that have no button.
  ///
  /// Texts are cut to the limit, links and commands never.
  init(_ words: [ReminderWords], _ ways: [AnswerWays]) {
    if let failure = words.first?.content.failure {
      append(failure.headline.bounded(toUTF16: Self.longest / 4), as: "bold")
      append(": " + failure.reason.bounded(toUTF16: Self.longest / 4))
    }
    for (words, ways) in zip(words, ways) {
      let separator = text.isEmpty ? "" : "\n\n"
      let lines = Self.lines(of: ways)
      let left = Self.longest - length - separator.utf16.count - lines.reduce(0) { $0 + $1.length }
      guard left > 0 else { break }
      append(separator)
      append(Self.body(of: words).bounded(toUTF16: left), as: "bold", upTo: words.headline.utf16.count)
      for line in lines {
        append("\n" + line.label)
        if let command = line.command { append(command, as: "code") }
      }
      reminders += 1
    }
  }

  private mutating func append(_ part: String, as type: String? = nil, upTo limit: Int = .max) {
    let covered = Int64(min(part.utf16.count, limit))
    if let type, covered > 0 {
      entities.append(["type": .string(type), "offset": .integer(Int64(length)), "length": .integer(covered)])
    }
    text += part
    length += part.utf16.count
  }

  private static func body(of words: ReminderWords) -> String {
    let isAnswered = words.content.update?.state == .answered
    return (words.chatLines() + (isAnswered ? [words.stateTime].compactMap(\.self) : [])).joined(separator: "\n")
  }

  /// A line that says how to answer.
  private struct Line {
    let label: String
    var command: String?

    var length: Int { 1 + label.utf16.count + (command?.utf16.count ?? 0) }
  }

  private static func lines(of ways: AnswerWays) -> [Line] {
    if let page = ways.page { return ways.isPageOnButton ? [] : [Line(label: "Answer: \(page)")] }
    var room = longestWays
    return ways.commands.map { command in
      Line(label: "\(AnswerKeyboard.label(command.action.title)): ", command: command.command)
    }.prefix { line in
      room -= line.length
      return room >= 0
    }
  }
}
