import BelfryEngine
import BelfryModel
import MessageText
import Transport

/// The ways in which one reminder of a message is answered.
struct AnswerWays {
  /// The actions with buttons, each with the effect of a press.
  let buttons: [(action: OfferedAction, effect: ReminderWords.ButtonEffect)]
  /// The page for the other actions; `nil` if there are none, or no page.
  let page: String?
  /// The commands for the other actions if there is no page.
  let commands: [ActionCommand]

  /// The ways for a reminder.
  init(_ words: ReminderWords) {
    let actions = words.content.actions
    buttons = actions.indices.compactMap { place in
      guard let effect = words.buttonEffect(at: place) else { return nil }
      if case .opening(let url) = effect, !Self.isOnButton(url) { return nil }
      return (actions[place], effect)
    }
    page = buttons.count < actions.count ? words.links?.answerURL : nil
    commands = words.commands(besides: buttons.map(\.action))
  }

  /// True if the page can be behind a button.
  var isPageOnButton: Bool { page.map(Self.isOnButton) ?? false }

  // Telegram refuses a message with a button to a host without a dot.
  private static func isOnButton(_ page: String) -> Bool {
    guard let url = try? ServerURL(page, schemes: ["http", "https"]) else { return false }
    return url.host.contains(".")
  }
}
