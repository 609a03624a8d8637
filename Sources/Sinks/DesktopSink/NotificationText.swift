import BelfryEngine
import BelfryModel
import MessageText

/// The texts of a notification about the reminders of one message.
struct NotificationText {
  /// The longest title, in bytes.
  private static let longestTitle = 250
  /// The longest title that every server shows whole, in characters: some have a single narrow line for it.
  private static let narrowTitle = 30
  /// The longest text without the ways to answer, in bytes.
  static let longestText = 4_096
  /// The most unchecked items of a list.
  private static let mostItems = 12
  /// The most reminders of a message.
  static let mostReminders = 20

  let message: Message
  /// The words of the first reminders.
  let words: [ReminderWords]
  /// The actions with buttons, in their order, each with its number in the message from 1.
  let buttons: [(number: Int, action: OfferedAction)]
  /// True if a click opens the page.
  let isClickable: Bool

  /// The texts for an attempt.
  init(_ attempt: DeliveryAttempt, words: [ReminderWords], for capabilities: Capabilities) {
    self.message = attempt.message
    self.words = words
    let single = words.count == 1 && words[0].content.failure == nil ? words[0] : nil
    let actions = capabilities.hasButtons ? single?.content.actions ?? [] : []
    let isClickable = capabilities.hasButtons && single?.links != nil
    buttons = actions.placesForSmallDisplays.map { (number: $0 + 1, action: actions[$0]) }
      .filter { $0.action.isCarriedOutByToken || isClickable && $0.action.isOpenedByButton }
    self.isClickable = isClickable
  }

  /// The title: the reminder's text on one line.
  var summary: String {
    let text = words.count == 1 ? words[0].headline : message.title
    let title = words.first?.content.failure?.headline ?? text
    return title.onOneLine().bounded(toBytes: Self.longestTitle).showable
  }

  /// The text, without markup.
  var body: String {
    let failure = words.first?.content.failure.map { [$0.reason] } ?? []
    let isAlone = words.count == 1 && failure.isEmpty
    let beyond = message.contents.count - words.count
    let parts = failure + words.map { reminder($0, hasTitle: isAlone) } + (beyond > 0 ? ["… and \(beyond) more"] : [])
    let text = parts.joined(separator: "\n\n").bounded(toBytes: Self.longestText)
    return ([text] + waysToAnswer).filter { !$0.isEmpty }.joined(separator: "\n").showable
  }

  private func reminder(_ words: ReminderWords, hasTitle: Bool) -> String {
    // A title that must be cut says too little.
    let isWhole = hasTitle && words.headline.onOneLine() == words.headline && words.headline.count <= Self.narrowTitle
    return words.chatLines(withText: !isWhole, mostUnchecked: Self.mostItems).joined(separator: "\n")
  }

  /// The ways to answer that neither a button nor a click offers, a line each.
  private var waysToAnswer: [String] {
    guard !isClickable, words.first?.content.failure == nil else { return [] }
    return words.flatMap { words -> [String] in
      if let links = words.links { return ["Answer: \(links.answerURL)"] }
      if words.content.isTest { return [] }
      let commands = words.commands(besides: buttons.map(\.action)).map(\.line)
      return commands + (words.content.item.map { ["More: belfry explain \($0.id)"] } ?? [])
    }
  }
}

extension String {
  /// The text in a form for buses and screens: without control characters, without reordering of text around it, and
  /// without noncharacters of Unicode, which sd-bus refuses.
  var showable: String {
    let visible = visibleLines
    guard visible.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint) else { return visible }
    var text = String.UnicodeScalarView()
    for scalar in visible.unicodeScalars {
      text.append(scalar.properties.isNoncharacterCodePoint ? "\u{fffd}" : scalar)
    }
    return String(text)
  }
}
