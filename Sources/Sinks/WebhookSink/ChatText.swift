import MessageText

/// Plain text messages for chats.
struct ChatText {
  /// The longest text, in units of `cost`.
  let limit: Int
  /// The units that a character takes, as the service counts.
  let cost: (Character) -> Int
  /// Escapes a text for the service.
  var escape: (String) -> String = { $0 }
  /// The line of a link.
  var link: (_ url: String) -> String = { "Answer: <\($0)>" }

  /// The text, list, due time, lateness and notes of each reminder, then its link.
  ///
  /// Texts are cut to the limit, links never.
  ///
  /// - Parameter showsLinks: whether the links are in the text.
  func text(_ words: [ReminderWords], withList: Bool = true, showsLinks: Bool = true) -> String {
    guard showsLinks, words.contains(where: { $0.links != nil }) else {
      return escape(Self.text(words, withList: withList).bounded(to: limit, cost: cost))
    }
    var text = ""
    var room = limit
    for words in words {
      let separator = text.isEmpty ? "" : "\n\n"
      let end = words.links.map { "\n" + link($0.answerURL) } ?? ""
      let left = room - (separator + end).reduce(0) { $0 + cost($1) }
      guard left > 0 else { break }
      let body = Self.reminder(words, withList: withList).bounded(to: left, cost: cost)
      text += separator + escape(body) + end
      room = left - body.reduce(0) { $0 + cost($1) }
    }
    return text
  }

  private static func text(_ words: [ReminderWords], withList: Bool) -> String {
    let failure = words.first?.content.failure.map { ["\($0.headline): \($0.reason)"] } ?? []
    return (failure + words.map { reminder($0, withList: withList) }).joined(separator: "\n\n")
  }

  private static func reminder(_ words: ReminderWords, withList: Bool) -> String {
    words.chatLines(withList: withList).joined(separator: "\n")
  }
}
