import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import WebAccess

/// The answers to reminders, newest first.
struct AnswersPage: Sendable {
  /// The answers of one page.
  static let length = 50

  let answers: [Answer]
  let hasMore: Bool
  /// The number of the page, from 1.
  let page: Int
  let people: [Int64: String]
  let time: PageTime
  let scope: AccessScope

  // The time for which an answer can be taken back.
  private static let day = 86_400.0

  func add(to body: inout HTML) {
    body.live("answers") { body in
      if answers.isEmpty {
        body.paragraph(page == 1 ? "Nothing has been answered yet." : "There are no more answers.", ["class": "empty"])
      } else {
        body.markup("<ul class=\"rings card\">\n")
        for answer in answers { add(answer, to: &body) }
        body.markup("</ul>\n")
      }
      addPages(to: &body)
    }
  }

  private func add(_ answer: Answer, to body: inout HTML) {
    let moment = time.moment(.floating)
    body.markup("<li id=\"a")
    body.add(answer.id)
    body.markup("\"><p><strong>")
    body.add(answer.action)
    body.markup("</strong> ")
    body.element("a", answer.text, ["href": answer.owner.path, "class": "brief", "dir": "auto"])
    body.element("span", answer.effect.name, ["class": answer.effect == .refused ? "state bad" : "state"])
    body.markup("</p>\n<p class=\"when\">")
    body.element("span", moment.short(answer.date))
    body.element("span", "by \(answer.channel.giver(people[answer.person]))", ["dir": "auto"])
    body.element("span", answer.listName, ["dir": "auto"])
    body.element("span", answer.reply, ["dir": "auto"])
    if let takenBack = answer.takenBackAt { body.element("strong", "taken back \(moment.short(takenBack))") }
    body.markup("</p>\n")
    let mayTakeBack = answer.effect == .done && answer.takenBackAt == nil && time.now < answer.date + Self.day
    if mayTakeBack, scope.includes(.answer) {
      body.form(
        action: "/answers/\(answer.id)/take-back", button: "Take back", style: "small",
        fields: ["back": "\(Self.path(page))#a\(answer.id)"])
    }
    body.markup("</li>\n")
  }

  private func addPages(to body: inout HTML) {
    guard hasMore || page > 1 else { return }
    body.markup("<nav class=\"views\" aria-label=\"More answers\">")
    if page > 1 { body.element("a", "Newer: page \(page - 1)", ["href": Self.path(page - 1), "rel": "prev"]) }
    if hasMore { body.element("a", "Older: page \(page + 1)", ["href": Self.path(page + 1), "rel": "next"]) }
    body.markup("</nav>\n")
  }

  private static func path(_ page: Int) -> String { page > 1 ? "/answers?page=\(page)" : "/answers" }
}
