import BelfryModel
import ItemEntry

/// The form of an item.
struct ItemForm: Sendable {
  /// The contents of its fields.
  var fields: ItemFields
  /// The names of the lists that the visitor may choose.
  let lists: [String]
  /// The identifiers of the categories.
  let categories: [String]
  /// The fields that somebody else changed meanwhile; `nil` unless the form was sent.
  var conflict: ItemConflict?
  /// The errors, by field.
  var errors: [ItemFields.Name: String] = [:]
  /// The meaning of the fields; `nil` unless the visitor asked for it.
  var echo: EntryEcho?
  /// True for a new item.
  var isNew = false

  /// The fields with their errors, and what they mean.
  func addFields(to body: inout HTML) {
    conflict?.addWarning(to: &body)
    addErrors(to: &body)
    add("text", .text, "Text", to: &body) { field in
      field.isRequired = true
      field.hasFocus = isNew && fields[.text].isEmpty
    }
    addDue(to: &body)
    addRinging(to: &body)
    body.markup("<div class=\"pair\">\n")
    add("list", .list, "List", to: &body) { $0.control = .choice(choices(lists, .list).map { ($0, $0) }) }
    let names = choices(categories, .category)
    if !names.isEmpty || conflict?.choices[.category] != nil {
      add("category", .category, "Category", to: &body) { field in
        field.control = .choice([("", "none")] + names.map { ($0, $0) })
      }
    }
    body.markup("</div>\n")
    add("notes", .notes, "Notes", to: &body) { $0.control = .lines }
  }

  // The known values, and the field's own if it is none of them, so that the menu can show it.
  private func choices(_ known: [String], _ name: ItemFields.Name) -> [String] {
    known + (known.contains(fields[name]) || fields[name].isEmpty ? [] : [fields[name]])
  }

  private func addErrors(to body: inout HTML) {
    guard !errors.isEmpty else { return }
    body.element("div", ["class": "faults", "role": "alert"]) { body in
      let count = errors.count == 1 ? "one field has" : "\(errors.count) fields have"
      body.paragraph("Nothing is kept yet: \(count) to be mended.")
    }
  }

  private func addDue(to body: inout HTML) {
    body.markup("<fieldset><legend>Due</legend>\n")
    choosing(.date, to: &body) { body in
      body.markup("<div class=\"pair\">\n")
      add("date", .date, "Date", to: &body) { $0.control = .date }
      add("time", .time, "Time", to: &body) { $0.control = .time }
      add("due", .due, "Or in words", to: &body) { field in
        field.hint = "fri 17:00, in 2 hours, none"
        field.style = "field wide"
      }
      body.markup("</div>\n")
    }
    body.markup("<div class=\"pair\">\n")
    add("repeat", .repeat, "Repeat", to: &body) { field in
      field.hint = "every 2 weeks, monthly, weekdays, or an RRULE"
      field.suggestions = "repeats"
    }
    add("repeat_from", .repeatFrom, "The next one counts from", to: &body) {
      $0.control = .choice([("due", "the due date"), ("done", "when it is checked")])
    }
    body.markup("</div>\n<datalist id=\"repeats\"><option value=\"every day\"><option value=\"every weekday\">")
    body.markup("<option value=\"every week\"><option value=\"every 2 weeks\"><option value=\"every month\">")
    body.markup("<option value=\"every year\"></datalist>\n")
    body.live("echo") { body in
      if let echo { Self.add(echo, to: &body) }
    }
    body.markup("</fieldset>\n")
  }

  private func addRinging(to body: inout HTML) {
    body.markup("<fieldset><legend>Ringing</legend>\n")
    add("remind", .remind, "Remind when due", to: &body) { $0.control = .mark }
    body.markup("<div class=\"pair\">\n")
    add("alerts", .alerts, "Before it is due", to: &body) { $0.hint = "1d, 10m, 0m: empty for when it is due" }
    add("nag", .nag, "Again every", to: &body) { $0.hint = "15m: until it is checked; empty for once" }
    add("time_zone", .timeZone, "Time zone", to: &body) { $0.hint = "Europe/Zurich: empty for wherever you are" }
    body.markup("</div>\n</fieldset>\n")
  }

  private func add(
    _ name: String, _ key: ItemFields.Name, _ label: StaticString, to body: inout HTML, _ change: (inout Field) -> Void
  ) {
    var field = Field(name, label, value: fields[key], error: errors[key])
    change(&field)
    if key == .date { return field.add(to: &body) }
    choosing(key, to: &body) { field.add(to: &$0) }
  }

  private func choosing(_ name: ItemFields.Name, to body: inout HTML, _ field: (inout HTML) -> Void) {
    if let conflict { conflict.add(name, to: &body, field) } else { field(&body) }
  }

  private static func add(_ echo: EntryEcho, to body: inout HTML) {
    guard echo.faults.isEmpty else { return }
    body.element("div", ["class": "echo"]) { body in
      if let due = echo.due {
        body.element("p") { body in
          body.markup("Due <strong>")
          body.add(due)
          body.markup("</strong>")
          if let repeats = echo.repeats { body.add(", then \(repeats)") }
          body.markup(".")
        }
      } else {
        body.paragraph("No due date: it does not ring.")
      }
      for remark in echo.remarks { body.paragraph(remark.capitalizedFirst + ".") }
      guard !echo.rings.isEmpty else { return }
      body.markup("<p>Rings</p>\n<ol>\n")
      for ring in echo.rings { body.element("li", ring) }
      body.markup("</ol>\n")
    }
  }
}
