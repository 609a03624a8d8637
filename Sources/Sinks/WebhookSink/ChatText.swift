import BelfryModel
import MessageText

/// Plain text messages for chats.
struct ChatText {
  /// The longest text, in units of `cost`.
  let limit: Int
  /// The units that a character takes, as the service counts.
  let cost: (Character) -> Int
  /// Escapes a text for the service.
  var escape: (String) -> String = { $0 }
  /// True if a message replaces the one before. After an answer, the new message then says how the reminder ended.
  var replacesMessages = false
  /// The line of a link.
  var link: (_ url: String) -> String = { "Answer: <\($0)>" }

  /// The text, list, due time, lateness and notes of each reminder, then its link or, without one, the commands that
  /// answer it. For an answered reminder, how it was answered.
  ///
  /// Texts are cut to the limit, links and commands never.
  ///
  /// - Parameters:
  ///   - showsLinks: whether the links are in the text.
  ///   - buttons: the actions on buttons, which need no command.
  func text(
    _ words: [ReminderWords], withList: Bool = true, showsLinks: Bool = true, besides buttons: [OfferedAction] = []
  ) -> String {
    let failure = words.first?.content.failure.map { ["\($0.headline): \($0.reason)"] } ?? []
    let reminders = words.map { words in
      let news = replacesMessages ? nil : words.news
      let body = news ?? words.chatLines(withList: withList).joined(separator: "\n")
      guard let links = words.links else { return (body, commands(words.commands(besides: buttons))) }
      return (body, showsLinks ? "\n" + link(links.answerURL) : "")
    }
    var text = ""
    var room = limit
    for (body, ways) in failure.map({ ($0, "") }) + reminders {
      let separator = text.isEmpty ? "" : "\n\n"
      let left = room - cost(of: separator + ways)
      guard left >= cost("…") else { break }
      let body = body.bounded(to: left, cost: cost)
      text += separator + escape(body) + ways
      room = left - cost(of: body)
    }
    return text
  }

  /// A line for each command, as far as they take no more than half of the limit.
  private func commands(_ commands: [ActionCommand]) -> String {
    commands.reduce(into: "") { lines, command in
      let more = lines + "\n" + escape(command.line)
      if cost(of: more) <= limit / 2 { lines = more }
    }
  }

  private func cost(of text: String) -> Int { text.reduce(0) { $0 + cost($1) } }
}
