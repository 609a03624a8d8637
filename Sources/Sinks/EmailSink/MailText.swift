import MessageText

/// The default subject and text of a mail.
enum MailText {
  /// The most reminders shown in a digest; the others are only counted.
  static let mostReminders = 100

  /// The list and the text, or the number of reminders; for a failure notice or the news of an answer, its subject.
  static func subject(_ words: [ReminderWords], count: Int) -> String {
    if let first = words.first, let failure = first.content.failure {
      return "\(failure.headline): \(count > 1 ? "\(count) reminders" : first.headline)"
    }
    if let first = words.first, first.news != nil {
      return "Answered: \(count > 1 ? "\(count) reminders" : first.text)"
    }
    guard count > 1, let first = words.first else { return words.first.map { "\($0.list): \($0.text)" } ?? "Reminder" }
    let isOneList = words.allSatisfy { $0.list == first.list }
    return isOneList ? "\(first.list): \(count) reminders" : "\(count) reminders"
  }

  /// A text with a paragraph for each reminder.
  static func text(_ words: [ReminderWords], beyond: Int) -> String {
    let failure = words.first?.content.failure.map { ["\($0.headline): \($0.reason)".withoutControls()] } ?? []
    var parts = failure + words.map { text($0) }
    if beyond > 0 { parts.append("… and \(beyond) more reminders: belfry show") }
    return parts.joined(separator: rule) + "\n\n-- \nBelfry\n"
  }

  private static let rule = "\n\n\(String(repeating: "-", count: 40))\n\n"

  private static func text(_ words: ReminderWords) -> String {
    if let news = words.news { return news.withoutControls() }
    var lines = [words.headline, ""]
    if let escalation = words.escalation { lines += [escalation, ""] }
    lines += words.unchecked.map { "[ ] \($0)" }
    if words.uncheckedBeyond > 0 { lines.append("… and \(words.uncheckedBeyond) more") }
    if !words.unchecked.isEmpty { lines.append("") }
    lines.append("List:  \(words.list)")
    lines.append(words.content.item == nil ? "When:  \(words.due)" : "Due:   \(words.relative) – \(words.due)")
    if let late = words.late { lines.append("Late:  this reminder is \(late) late") }
    if let notes = words.notes { lines += ["", notes] }
    if let links = words.links { lines += ["", "Answer: \(links.answerURL)"] }
    let commands = words.commands()
    if !commands.isEmpty { lines.append("") }
    lines += commands.map { "\($0.action.title)\($0.action.isDestructive ? " (destructive)" : ""):  \($0.command)" }
    return lines.joined(separator: "\n").withoutControls()
  }
}

extension String {
  /// The text with a space for every control character other than line feed and tab.
  func withoutControls() -> String {
    let isClean = utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a || $0 == 0x09 }
    guard !isClean else { return self }
    var clean = String.UnicodeScalarView()
    for scalar in replacing("\r\n", with: "\n").unicodeScalars {
      let isControl = (scalar.value < 0x20 || scalar.value == 0x7f) && scalar != "\n" && scalar != "\t"
      clean.append(isControl ? (scalar == "\r" ? "\n" : " ") : scalar)
    }
    return String(clean)
  }
}
