import BelfryEngine
import BelfryModel
import CivilTime
import Interchange
import WebAccess

struct ListPage: Sendable {
  /// The items that it shows, and their order.
  struct View: Sendable {
    /// True for the checked items, false for the others.
    var isChecked = false
    /// True for the order of due dates, false for the list's own.
    var isByDate = false
    /// True to choose several items.
    var isChoosing = false
    /// The number of the page, from 1.
    var page = 1

    /// The items of one page.
    static let length = 200

    /// The path of the same view of a list, of another page if given.
    func path(_ list: Int64, page: Int = 1, choosing: Bool = false) -> String {
      let query = [
        isChecked ? "show=checked" : nil, isByDate ? "order=due" : nil, page > 1 ? "page=\(page)" : nil,
        choosing ? "choose=several" : nil,
      ].compactMap(\.self).joined(separator: "&")
      return "/lists/\(list)" + (query.isEmpty ? "" : "?\(query)")
    }
  }

  let summary: ListSummary
  let bell: ListBell?
  let items: [ItemListing]
  let hasMore: Bool
  let view: View
  let time: PageTime
  let scope: AccessScope
  /// The other lists, to which items can be moved.
  var others: [Checklist] = []
  /// The line that was typed for a new item, and its error.
  var typed: (line: String, error: String?) = ("", nil)

  private var list: Checklist { summary.list }

  func add(to body: inout HTML) {
    if scope.includes(.edit), !view.isChoosing {
      QuickLine(action: "/lists/\(list.id)/items", back: view.path(list.id), typed: typed).add(to: &body)
    }
    body.live("items") { body in
      addFacts(to: &body)
      addViews(to: &body)
      addItems(to: &body)
      addPages(to: &body)
    }
  }

  private func addFacts(to body: inout HTML) {
    guard let reminder = list.reminder, let bell else { return }
    body.markup("<p class=\"facts\"><span>")
    body.icon(.bell)
    body.markup("the list ")
    body.add(bell.words(now: time.now, time.moment(reminder.zone).short))
    if let recurrence = reminder.recurrence {
      body.markup(", ")
      body.add(recurrence.rule.words)
    }
    body.markup("</span></p>\n")
  }

  private func addViews(to body: inout HTML) {
    body.markup("<nav class=\"views\" aria-label=\"Items to show\">")
    let views: [(StaticString, View)] = [
      ("Open", View()), ("By date", View(isByDate: true)), ("Done", View(isChecked: true)),
    ]
    for (name, other) in views where summary.items > 0 {
      let isShown = other.isChecked == view.isChecked && other.isByDate == view.isByDate
      let path = other.path(list.id)
      body.element("a", isShown ? ["href": path, "aria-current": "true"] : ["href": path]) { $0.markup(name) }
    }
    if scope.includes(.edit) {
      if !view.isChecked, !view.isChoosing, items.count > 1 {
        body.element("a", "Choose", ["href": view.path(list.id, page: view.page, choosing: true)])
      }
      body.open("a", ["class": "tool", "href": "/lists/\(list.id)/settings", "aria-label": "Settings of the list"])
      body.icon(.settings)
      body.markup("</a>")
    }
    body.markup("</nav>\n")
  }

  private func addItems(to body: inout HTML) {
    guard !items.isEmpty else {
      let isDone = summary.items > 0 && !view.isChecked
      return body.paragraph(
        isDone ? "Everything is done." : view.isChecked ? "Nothing is done yet." : "Nothing is on this list yet.",
        ["class": "empty"])
    }
    let maySort = scope.includes(.edit) && !view.isChecked && !view.isByDate
    let back = view.path(list.id, page: view.page)
    body.rows(scope, inFormBackTo: view.isChoosing ? back : nil) { body in
      if view.isChoosing { SeveralBar(lists: others, back: back).add(to: &body) }
      body.markup("<ul class=\"items\">\n")
      let outline = ItemOutline(items)
      let siblings = outline.siblings
      for (index, outlined) in outline.rows.enumerated() {
        var row = ItemRow(outlined.listing, time, scope, back: view.isChoosing ? nil : back)
        row.depth = outlined.depth
        if maySort {
          (row.above, row.below, row.first) = (siblings[index].above, siblings[index].below, siblings[index].first)
        }
        row.add(to: &body)
      }
      body.markup("</ul>\n")
    }
  }

  private func addPages(to body: inout HTML) {
    guard hasMore || view.page > 1 else { return }
    body.markup("<nav class=\"views\" aria-label=\"More items\">")
    if view.page > 1 {
      body.element("a", "Earlier items", ["href": view.path(list.id, page: view.page - 1), "rel": "prev"])
    }
    if hasMore {
      body.element("a", "Further items", ["href": view.path(list.id, page: view.page + 1), "rel": "next"])
    }
    body.markup("</nav>\n")
  }
}
