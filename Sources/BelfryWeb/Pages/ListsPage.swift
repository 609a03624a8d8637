import BelfryEngine
import BelfryModel
import CivilTime
import WebAccess

/// Every list with what is open, overdue and next.
struct ListsPage: Sendable {
  let summaries: [ListSummary]
  let time: PageTime
  /// True if the visitor may make lists.
  let mayMake: Bool
  /// The name that was typed for a new list, and what is wrong with it.
  var typed: (name: String, error: String?) = ("", nil)

  func add(to body: inout HTML) {
    body.live("lists") { body in
      if summaries.isEmpty {
        body.paragraph(
          mayMake ? "There is no list yet. Make the first one." : "There is no list to show.", ["class": "empty"])
      } else {
        body.markup("<ul class=\"lists\">\n")
        for summary in summaries { add(summary, to: &body) }
        body.markup("</ul>\n")
      }
    }
    if mayMake { addForm(to: &body) }
  }

  private func add(_ summary: ListSummary, to body: inout HTML) {
    body.markup("<li><a dir=\"auto\" href=\"/lists/")
    body.add(summary.list.id)
    body.markup("\">")
    body.add(summary.list.name)
    body.markup("</a><span class=\"counts\">")
    body.counts(summary)
    body.markup("</span><span class=\"next\">")
    if let next = summary.nextFireDate?.date {
      body.markup("rings ")
      body.add(time.moment(.floating).short(next))
    }
    body.markup("</span></li>\n")
  }

  private func addForm(to body: inout HTML) {
    body.markup("<form class=\"line\" method=\"post\" action=\"/lists\">\n")
    var field = Field("name", "New list", value: typed.name, error: typed.error)
    field.isRequired = true
    field.add(to: &body)
    body.markup("<button class=\"main\">Make list</button>\n</form>\n")
  }
}
