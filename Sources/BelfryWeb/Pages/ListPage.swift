import BelfryEngine
import BelfryModel
import CivilTime
import WebAccess

/// The page of one list.
struct ListPage: Sendable {
  /// The items that it shows, and their order.
  struct View: Sendable {
    /// True for the checked items, false for the others.
    var isChecked = false
    /// True for the order of due dates, false for the list's own.
    var isByDate = false
    /// The number of the page, from 1.
    var page = 1

    /// The items of one page.
    static let length = 200

    /// The path of the same view of a list, of another page if given.
    func path(_ list: Int64, page: Int = 1) -> String {
      let query = [
        isChecked ? "show=checked" : nil, isByDate ? "order=due" : nil, page > 1 ? "page=\(page)" : nil,
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
  /// The line that was typed for a new item, and what is wrong with it.
  var typed: (line: String, error: String?) = ("", nil)

  private var list: Checklist { summary.list }

  func add(to body: inout HTML) {
    body.markup("<nav class=\"trail\" aria-label=\"Place\"><a href=\"/\">Lists</a></nav>\n")
    body.element("h1", list.name, ["dir": "auto", "class": list.name.utf8.count > 60 ? "long" : "short"])
    if scope.includes(.edit) { addLine(to: &body) }
    body.live("items") { body in
      addFacts(to: &body)
      addViews(to: &body)
      addItems(to: &body)
      addPages(to: &body)
    }
  }

  private func addLine(to body: inout HTML) {
    body.element("form", ["class": "line", "method": "post", "action": "/lists/\(list.id)/items"]) { body in
      var field = Field("line", "New item", value: typed.line, error: typed.error)
      field.hint = "A time, a repeat and a list are understood at the end: Bins every tuesday 7am #Home"
      field.isRequired = true
      field.add(to: &body)
      body.markup("<button class=\"main\">Add</button>\n")
    }
  }

  private func addFacts(to body: inout HTML) {
    body.markup("<p class=\"facts\">")
    body.counts(summary)
    if let reminder = list.reminder, let bell {
      body.markup(" <span>the list ")
      body.add(bell.words(now: time.now, time.moment(reminder.zone).short))
      if let recurrence = reminder.recurrence {
        body.markup(", ")
        body.add(recurrence.rule.words)
      }
      body.markup("</span>")
    }
    if scope.includes(.edit) {
      body.markup(" <a href=\"/lists/")
      body.add(list.id)
      body.markup("/settings\">Settings of the list</a>")
    }
    body.markup("</p>\n")
  }

  private func addViews(to body: inout HTML) {
    guard summary.items > 0 else { return }
    body.markup("<nav class=\"views\" aria-label=\"Items to show\">")
    let checked = summary.items - summary.remaining
    let views: [(String, View)] = [
      ("Open", View()), ("By date", View(isByDate: true)), ("Checked (\(checked))", View(isChecked: true)),
    ]
    for (name, other) in views where !other.isChecked || checked > 0 || view.isChecked {
      let isShown = other.isChecked == view.isChecked && other.isByDate == view.isByDate
      body.element(
        "a", name, isShown ? ["href": other.path(list.id), "aria-current": "true"] : ["href": other.path(list.id)])
    }
    body.markup("</nav>\n")
  }

  private func addItems(to body: inout HTML) {
    guard !items.isEmpty else {
      let isDone = summary.items > 0 && !view.isChecked
      return body.paragraph(
        isDone ? "Everything is done." : view.isChecked ? "Nothing is checked." : "Nothing is on this list yet.",
        ["class": "empty"])
    }
    let maySort = scope.includes(.edit) && !view.isChecked && !view.isByDate
    if scope.includes(.answer) {
      body.markup("<span hidden id=\"say-check\">Check</span><span hidden id=\"say-uncheck\">Uncheck</span>")
      body.markup("<span hidden id=\"say-more\">More for</span>\n<form method=\"post\">")
      body.hidden("back", view.path(list.id, page: view.page))
    }
    body.markup("<ul class=\"items\">\n")
    for (index, listing) in items.enumerated() {
      var row = ItemRow(listing, time, scope)
      if maySort {
        row.above = index > 0 ? items[index - 1].item.id : nil
        row.below = index + 1 < items.count ? items[index + 1].item.id : nil
        row.first = index > 0 ? items[0].item.id : nil
      }
      row.add(to: &body)
    }
    body.markup("</ul>\n")
    if scope.includes(.answer) { body.markup("</form>\n") }
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
