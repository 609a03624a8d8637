import BelfryEngine
import BelfryModel
import MessageText
import Transport

/// The ways in which one reminder of a message is answered.
struct AnswerWays {
  /// The actions with a button of their own, each with its token.
  let buttons: [(action: OfferedAction, token: String)]
  /// The page for the other actions; `nil` where there are none, or no page.
  let page: String?
  /// The other actions, where no page leads to them.
  let commands: [OfferedAction]

  /// The ways for a reminder.
  ///
  /// - Parameter tokens: one for each action, `nil` for those that no token carries out; empty for none.
  init(_ words: ReminderWords, tokens: [String?]) {
    let actions = words.content.actions
    let known = tokens.count == actions.count ? tokens : actions.map { _ in nil }
    buttons = zip(actions, known).compactMap { action, token in token.map { (action, $0) } }
    let others = zip(actions, known).filter { $0.1 == nil }.map(\.0)
    page = others.isEmpty ? nil : words.links?.answerURL
    commands = words.links == nil && !words.content.isTest ? others : []
  }

  /// True if the page can be behind a button: Telegram refuses a message with a button to a host without a dot.
  var isPageOnButton: Bool {
    guard let page, let url = try? ServerURL(page, schemes: ["http", "https"]) else { return false }
    return url.host.contains(".")
  }
}
