import BelfryEngine
import BelfryModel
import Hummingbird
import MessageText

/// The reply to a press: its status and its words.
struct PressReply {
  let status: HTTPResponse.Status
  let notice: ReminderPage.Notice
  /// The path of the page that the action opens; `nil` if the reply is in words.
  let opens: String?

  private static let unchanged = "Nothing was changed"

  /// The reply to the result of a press.
  ///
  /// - Parameter sheet: the reminder after it.
  init(_ result: PressResult, over sheet: ReminderSheet) {
    switch result {
    case .answered(let answer, _):
      switch answer.effect {
      case .done:
        self.init(.ok, sheet.heading(of: answer), answer.reply, namesAnswer: answer.id == sheet.answer?.id)
      case .already: self.init(.ok, Self.unchanged, answer.reply, namesAnswer: true)
      case .gone: self.init(.gone, Self.unchanged, answer.reply)
      case .refused:
        self.init(.forbidden, "Sign in first", "'\(sheet.title(of: answer))' is only for someone who has signed in")
      }
    case .spent(_, let reply): self.init(.conflict, Self.unchanged, reply)
    case .edit(let owner): self.init(.seeOther, Self.unchanged, owner.editingHint, opens: owner.editingPath)
    }
  }

  /// The reply once an answer is taken back.
  init(takenBack answer: Answer, over sheet: ReminderSheet) {
    let since = answer.takenBackAt.map { ", since \(sheet.zone.readable($0))" } ?? ""
    self.init(.ok, "Taken back", "'\(sheet.title(of: answer))' no longer counts\(since)")
  }

  /// The reply that something was not done, and why.
  init(_ status: HTTPResponse.Status, unchanged reason: String) { self.init(status, Self.unchanged, reason) }

  init(
    _ status: HTTPResponse.Status, _ heading: String, _ words: String, namesAnswer: Bool = false, opens: String? = nil
  ) {
    (self.status, self.opens) = (status, opens)
    notice = ReminderPage.Notice(
      heading: heading, words: words.isEmpty ? "" : words.capitalizedFirst + ".", namesAnswer: namesAnswer)
  }

  /// The reply to a program: the answer as `--json` shows it, or a problem.
  ///
  /// - Throws: ``Problem`` if it changed nothing and had not been done before.
  static func json(_ result: PressResult, _ viewpoint: Hindsight) throws(Problem) -> Response {
    guard case .answered(let answer, _) = result, [.done, .already].contains(answer.effect) else {
      throw problem(of: result)
    }
    return .json(viewpoint.json(answer, people: viewpoint.people))
  }

  /// The problem of a press that changed nothing and was not done before.
  static func problem(of result: PressResult) -> Problem {
    switch result {
    case .answered(let answer, _) where answer.effect == .refused:
      Problem(.forbidden, answer.reply, hint: "open the link in a browser to sign in")
    case .answered(let answer, _): Problem(.gone, answer.reply)
    case .spent(let latest, let reply): Problem(.conflict, reply, hint: "send latest=\(latest) to do it once more")
    case .edit: Problem(.unprocessableContent, "the action only opens the item for editing")
    }
  }
}

extension ReminderOwner {
  /// The path of the page to edit it; for a list, its page with the cursor in the line that adds items.
  var editingPath: String {
    switch self {
    case .item(let id): "/items/\(id)"
    case .list(let id): "/lists/\(id)#f-line"
    }
  }
}
