import BelfryEngine
import BelfryModel
import MessageText

/// The buttons of a reminder in a mail's HTML: links to its page that show one action first.
///
/// A link changes nothing by itself, since the page asks for a press.
enum MailButtons {
  /// The buttons, destructive ones last and apart, and a link to the page; empty for a reminder without links.
  static func html(_ words: ReminderWords) -> String {
    guard let links = words.links else { return "" }
    let actions = words.linkedActions
    let buttons = actions.filter { !$0.action.isDestructive }.map { button($0.action, $0.link) }
    let apart = actions.filter(\.action.isDestructive).map { destructive($0.action, $0.link) }
    return """
      <div class="s" style="margin:20px 0 0;padding:8px 0 0;border-top:1px solid #e2e5ea">
      \(buttons.joined())\(page(links.answerURL))\(apart.joined())</div>

      """
  }

  private static func button(_ action: OfferedAction, _ link: ActionLink) -> String {
    """
    <a href="\(MailHTML.escaped(link.url))" style="display:inline-block;margin:10px 8px 0 0;padding:11px 22px;\
    border-radius:9px;background-color:#1c5fd4;color:#ffffff;font-size:15px;line-height:22px;font-weight:600;\
    text-decoration:none;\(MailHTML.wrap)">\(MailHTML.escaped(action.title))</a>

    """
  }

  private static func page(_ url: String) -> String {
    """
    <p class="m" style="margin:14px 0 0;font-size:14px;line-height:20px;color:#5f6672"><a class="a" \
    href="\(MailHTML.escaped(url))" style="color:#1c5fd4">See this reminder</a></p>

    """
  }

  private static func destructive(_ action: OfferedAction, _ link: ActionLink) -> String {
    """
    <p class="m" style="margin:22px 0 0;font-size:14px;line-height:20px;color:#5f6672"><a class="d" \
    href="\(MailHTML.escaped(link.url))" style="display:inline-block;padding:8px 16px;border:1px solid currentColor;\
    border-radius:9px;color:#b3261e;font-weight:600;text-decoration:none;\(MailHTML.wrap)">\
    \(MailHTML.escaped(action.title))</a> (destructive)</p>

    """
  }
}
