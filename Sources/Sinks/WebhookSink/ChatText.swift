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
    var lines = [words.text] + [words.state].compactMap(\.self)
    guard words.content.update?.state != .answered else { return lines.joined(separator: "\n") }
    lines += words.unchecked.map { "• \($0)" }
    if words.uncheckedBeyond > 0 { lines.append("… and \(words.uncheckedBeyond) more") }
    lines.append(
      [withList ? words.list : nil, "\(words.due), \(words.relative)"].compactMap(\.self).joined(separator: " · "))
    if let late = words.late { lines.append("This reminder is \(late) late.") }
    if let notes = words.notes { lines += ["", notes] }
    return lines.joined(separator: "\n")
  }
}
