import BelfryEngine
import BelfryModel
import Hummingbird
import MessageText
import OrderedJSON

/// The reply to a press: its status and its words.
struct PressReply {
  let status: HTTPResponse.Status
  let notice: ReminderPage.Notice

  /// The reply to what a press of an action has done.
  init(_ result: PressResult, action title: String) {
    switch result {
    case .answered(let answer, _):
      switch answer.effect {
      case .done: self.init(.ok, title, answer.reply)
      case .already: self.init(.ok, "Nothing was changed", answer.reply)
      case .gone: self.init(.gone, "Nothing was changed", answer.reply)
      case .refused: self.init(.forbidden, "Sign in first", answer.reply)
      }
    case .spent(_, let reply): self.init(.conflict, "Nothing was changed", reply)
    case .edit(.item(let id)):
      self.init(.ok, title, "nothing was changed: 'belfry edit \(id)' with what is to change edits it")
    case .edit(.list):
      self.init(.ok, title, "nothing was changed: 'belfry show' shows the list, 'belfry edit' edits an item")
    }
  }

  init(_ status: HTTPResponse.Status, _ heading: String, _ words: String) {
    self.status = status
    notice = ReminderPage.Notice(heading, words.isEmpty ? "" : words.capitalizedFirst + ".")
  }

  /// The same for a program: the answer as `--json` shows it, or a problem.
  ///
  /// - Throws: ``Problem`` for what changed nothing and was not done before.
  static func json(_ result: PressResult, _ viewpoint: some Viewpoint) throws(Problem) -> Response {
    switch result {
    case .answered(let answer, _):
      switch answer.effect {
      case .done, .already:
        return Response(
          status: .ok, headers: [.contentType: "application/json"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: viewpoint.json(answer).serialized() + "\n")))
      case .gone: throw Problem(.gone, answer.reply)
      case .refused: throw Problem(.forbidden, answer.reply, hint: "the page of the link lets a person sign in")
      }
    case .spent(let latest, let reply):
      throw Problem(.conflict, reply, hint: "send latest=\(latest) to do it once more")
    case .edit: throw Problem(.unprocessableContent, "the action only opens what is to be edited")
    }
  }
}
