import BelfryEngine
import BelfryModel
import CivilTime
import WebAccess

/// Every list with its open and overdue items, and its next ring.
struct ListsPage: Sendable {
  let summaries: [ListSummary]
  let time: PageTime
  /// True if the visitor may make lists.
  let mayMake: Bool
  /// The name that was typed for a new list, and its error.
  var typed: (name: String, error: String?) = ("", nil)

  func add(to body: inout HTML) {
    body.live("lists") { body in
      if summaries.isEmpty {
        body.paragraph(
          mayMake ? "There is no list yet. Make the first one." : "There is no list to show.", ["class": "empty"])
      } else {
        body.rows(mayMake ? .edit : .read, inFormBackTo: "/lists") { body in
          body.markup("<ul class=\"lists\">\n")
          for index in summaries.indices { add(index, to: &body) }
          body.markup("</ul>\n")
        }
      }
    }
    if mayMake { addForm(to: &body) }
  }

  private func add(_ index: Int, to body: inout HTML) {
    let summary = summaries[index]
    let id = "\(summary.list.id)"
    body.open("li", ["id": "l\(id)"])
    body.sign(of: summary.list)
    body.element("a", summary.list.name, ["class": "brief", "id": "t\(id)", "dir": "auto", "href": "/lists/\(id)"])
    body.markup("<span class=\"counts\">")
    body.counts(summary)
    body.markup("</span><span class=\"next\">")
    if let next = summary.nextFireDate?.date {
      body.markup("rings ")
      body.add(time.moment(.floating).short(next))
    }
    body.markup("</span>")
    if mayMake { addMenu(index, id, to: &body) }
    body.markup("</li>\n")
  }

  private func addMenu(_ index: Int, _ id: String, to body: inout HTML) {
    body.open(
      "button", ["type": "button", "class": "more", "popovertarget": "m\(id)", "aria-labelledby": "say-more t\(id)"])
    body.icon(.more)
    body.markup("</button>")
    body.open("div", ["id": "m\(id)", "class": "menu", "popover": ""])
    func step(_ label: String, _ name: String, _ neighbour: Int) {
      body.element(
        "button", label,
        ["formaction": "/lists/\(id)/move", "name": name, "value": "\(summaries[neighbour].list.id)"])
    }
    let last = summaries.count - 1
    if index > 0 { step("Up", "before", index - 1) }
    if index < last { step("Down", "after", index + 1) }
    if index > 1 { step("To the top", "before", 0) }
    if index < last - 1 { step("To the end", "after", last) }
    body.element("a", "Settings", ["href": "/lists/\(id)/settings"])
    body.markup("</div>")
  }

  private func addForm(to body: inout HTML) {
    body.markup("<form class=\"line\" method=\"post\" action=\"/lists\">\n")
    var field = Field("name", "New list", value: typed.name, error: typed.error)
    field.isRequired = true
    field.add(to: &body)
    body.markup("<button class=\"main\">Make list</button>\n</form>\n")
  }
}
