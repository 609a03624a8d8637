import BelfryEngine
import BelfryModel
import CivilTime
import ItemEntry
import WebAccess

/// The page to name a list, change its look, set its reminder, clear it and delete it.
struct ListSettingsPage: Sendable {
  let summary: ListSummary
  let bell: ListBell?
  let time: PageTime
  let categories: [String]
  /// True for visitors who see all lists, since a name must be unique among all of them.
  let mayRename: Bool
  var reminder: ListReminderFields
  /// The name, the colour and the icon as they were typed.
  var look: ListLookFields
  /// The present versions of the look and of the reminder.
  let versions: (look: String, reminder: String)

  init(_ summary: ListSummary, _ bell: ListBell?, _ time: PageTime, categories: [String], mayRename: Bool) {
    (self.summary, self.bell, self.time, self.categories) = (summary, bell, time, categories)
    self.mayRename = mayRename
    reminder = ListReminderFields(summary.list.reminder)
    look = ListLookFields(summary.list)
    versions = (look.version, reminder.version)
  }

  private var list: Checklist { summary.list }
  private var path: String { "/lists/\(list.id)" }

  func add(to body: inout HTML) {
    if mayRename { addLook(to: &body) }
    addReminder(to: &body)
    body.markup("<section class=\"card\"><h2>Delete</h2>\n<div class=\"actions\">")
    if summary.items > 0 {
      body.element("a", "Delete all items", ["href": "\(path)/clear", "class": "button danger"])
    }
    body.element("a", "Delete the list", ["href": "\(path)/delete", "class": "button danger"])
    body.markup("</div></section>\n")
  }

  private func addLook(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>Name and look</h2>\n")
    body.element("form", ["class": "item", "method": "post", "action": "\(path)/edit"]) { body in
      body.hidden("version", versions.look)
      look.add(to: &body)
      body.markup("<div class=\"actions\"><button class=\"main\">Save</button></div>\n")
    }
    body.markup("</section>\n")
  }

  private func addReminder(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>The list's own reminder</h2>\n")
    body.paragraph("It rings while anything on the list is open, and names what that is.", ["class": "hint"])
    if let reminder = list.reminder, let bell {
      let repeats = reminder.recurrence.map { ", \($0.rule.words)" } ?? ""
      body.paragraph("It \(bell.words(now: time.now, time.moment(reminder.zone).past))\(repeats).")
    }
    body.element("form", ["class": "item", "method": "post", "action": "\(path)/reminder"]) { body in
      body.hidden("version", versions.reminder)
      reminder.add(categories: categories, to: &body)
      body.markup("<div class=\"actions\"><button class=\"main\">Set reminder</button>")
      if list.reminder != nil {
        body.markup("<button name=\"remove\" value=\"yes\" formnovalidate>Remove reminder</button>")
      }
      body.markup("</div>\n")
    }
    body.markup("</section>\n")
  }
}
