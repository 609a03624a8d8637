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
  let commands: [ActionCommand]

  /// The ways for a reminder.
  init(_ words: ReminderWords) {
    let actions = words.content.actions
    buttons = zip(actions, words.buttons).compactMap { action, token in token.map { (action, $0) } }
    page = buttons.count < actions.count ? words.links?.answerURL : nil
    commands = words.commands(besides: buttons.map(\.action))
  }

  /// True if the page can be behind a button: Telegram refuses a message with a button to a host without a dot.
  var isPageOnButton: Bool {
    guard let page, let url = try? ServerURL(page, schemes: ["http", "https"]) else { return false }
    return url.host.contains(".")
  }
}
