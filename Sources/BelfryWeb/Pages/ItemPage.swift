import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ItemEntry
import WebAccess

/// The page of one item: its fields, its actions, and why it rings.
struct ItemPage: Sendable {
  let listing: ItemListing
  let explanation: Explanation
  let time: PageTime
  let scope: AccessScope
  var form: ItemForm
  /// The time that was typed for a snooze, and its error.
  var snooze: (until: String, error: String?) = ("", nil)

  private var item: Item { listing.item }
  private var path: String { "/items/\(item.id)" }

  /// The version of the item that the page shows.
  var version: String { ItemFields(listing).version }

  /// True if the visitor has to choose between values, since somebody else changed fields.
  var hasConflict: Bool { form.conflict?.isOpen ?? false }

  func add(to body: inout HTML) {
    body.live("head") { addHead(to: &$0) }
    body.live("edit") { if scope.includes(.edit) { addForm(to: &$0) } else { addFacts(to: &$0) } }
    body.live("why") { ExplanationSection(explanation: explanation, time: time).add(to: &$0) }
    guard scope.includes(.edit) else { return }
    body.markup("<div class=\"actions\">")
    body.element("a", "To another list", ["href": "\(path)/list", "class": "button"])
    body.element("a", "Delete", ["href": "\(path)/delete", "class": "button danger"])
    body.markup("</div>\n")
  }

  // MARK: To read

  private func addHead(to body: inout HTML) {
    body.element("h1", item.text, ["dir": "auto", "class": item.text.utf8.count > 60 ? "long" : "short"])
    body.markup("<p class=\"facts\">")
    if item.isChecked {
      body.markup("<span>checked")
      if let date = item.checkedAt {
        body.markup(" ")
        body.add(time.moment(.floating).short(date))
      }
      body.markup("</span> ")
    }
    body.due(listing, at: time)
    body.markup("</p>\n")
    if let notes = item.notes {
      body.element("div", ["class": "notes", "dir": "auto"]) { $0.linked(notes) }
    }
    if scope.includes(.answer) { addActions(to: &body) }
  }

  private func addActions(to body: inout HTML) {
    body.markup("<div class=\"actions\">")
    body.form(
      action: "\(path)/\(item.isChecked ? "uncheck" : "check")", button: item.isChecked ? "Uncheck" : "Check",
      style: item.isChecked ? "plain" : "main", fields: ["back": path])
    body.markup("</div>\n")
    if !item.isChecked, scope.includes(.edit) { addDates(to: &body) }
    if !item.isChecked, item.due != nil, item.shouldRemind { addSnooze(to: &body) }
  }

  private func addDates(to body: inout HTML) {
    let attributes: KeyValuePairs<StaticString, String> = [
      "class": "dates", "method": "post", "action": "\(path)/postpone", "aria-label": "Due date",
    ]
    body.element("form", attributes) { body in
      body.markup("<span class=\"sub\">Due</span>")
      body.hidden("back", path)
      for date in QuickDate.offered(at: time.displayZone(item.zone).wallTime(at: time.now)) {
        body.open("button", ["name": "to", "value": date.rawValue])
        body.markup(date.words)
        body.markup("</button>")
      }
    }
  }

  private func addSnooze(to body: inout HTML) {
    body.element("form", ["class": "snooze", "method": "post", "action": "\(path)/snooze"]) { body in
      body.markup("<span class=\"sub\">Snooze</span>")
      body.markup("<button name=\"for\" value=\"10m\" formnovalidate>10 min</button>")
      body.markup("<button name=\"for\" value=\"1h\" formnovalidate>1 hour</button>")
      body.markup("<button name=\"for\" value=\"1d\" formnovalidate>1 day</button>")
      body.element("div", ["class": "until"]) { body in
        var field = Field("until", "Or until", value: snooze.until, error: snooze.error)
        field.isRequired = true
        field.placeholder = "fri 17:00"
        field.add(to: &body)
        body.markup("<button>Snooze</button>")
      }
    }
  }

  // MARK: To edit

  // Open if the form has errors, a conflict or an echo.
  private func addForm(to body: inout HTML) {
    let isOpen = !form.errors.isEmpty || form.conflict != nil || form.echo != nil
    body.markup(
      isOpen ? "<details class=\"card edit\" open><summary>" : "<details class=\"card edit\"><summary>")
    body.markup("<h2>Edit</h2></summary>\n")
    body.element("form", ["class": "item", "method": "post", "action": path]) { body in
      body.hidden("version", version)
      form.addFields(to: &body)
      body.markup("<div class=\"actions\"><button class=\"main\">Save</button>")
      body.markup("<button name=\"show\" value=\"yes\">Show when it rings</button></div>\n")
    }
    body.markup("</details>\n")
  }

  private func addFacts(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>Item</h2>\n<dl>\n")
    for field in ItemField.allCases {
      let (row, value) = (field.row, form.fields.value(of: field))
      guard !value.isEmpty else { continue }
      switch row.kind {
      // The text is the heading; other parts of the page show whether and from when it repeats.
      case .line, .flag, .choice: continue
      case .time:
        if let due = item.due?.instant.date { Self.add(row.label, time.moment(item.zone).full(due), to: &body) }
      // The notes are shown above.
      case .lines: continue
      case .words, .several, .list, .category: Self.add(row.label, value, to: &body)
      }
    }
    body.markup("</dl></section>\n")
  }

  private static func add(_ label: StaticString, _ value: String, to body: inout HTML) {
    body.markup("<div><dt>")
    body.markup(label)
    body.markup("</dt>")
    body.element("dd", value, ["dir": "auto"])
    body.markup("</div>\n")
  }
}
