import BelfryModel
import ItemEntry

struct ItemForm: Sendable {
  /// The contents of its fields.
  var fields: ItemFields
  /// The names of the lists that the visitor may choose.
  let lists: [String]
  /// The identifiers of the categories.
  let categories: [String]
  /// The fields that somebody else changed since the form was shown; `nil` unless it was sent.
  var conflict: ItemConflict?
  var errors: [ItemField: String] = [:]
  /// The meaning of the fields; `nil` unless the visitor asked for it.
  var echo: EntryEcho?
  /// True for a new item.
  var isNew = false

  /// Adds the fields with their errors, and their meaning.
  func addFields(to body: inout HTML) {
    conflict?.addWarning(to: &body)
    addErrors(to: &body)
    for section in FieldRow.Section.allCases { add(section, to: &body) }
  }

  private func addErrors(to body: inout HTML) {
    guard !errors.isEmpty else { return }
    body.element("div", ["class": "faults", "role": "alert"]) { body in
      body.paragraph("Not saved: \(errors.count == 1 ? "1 field has" : "\(errors.count) fields have") an error.")
    }
  }

  private func add(_ section: FieldRow.Section, to body: inout HTML) {
    let fields = ItemField.allCases.filter { $0.row.section == section && isShown($0) }
    switch section {
    case .text, .place, .notes: add(fields, to: &body)
    case .ringing: fold("Ringing", fields, to: &body)
    case .due:
      body.markup("<fieldset><legend>Due</legend>\n")
      add(fields.filter { $0 == .due }, to: &body)
      body.live("echo") { body in
        if let echo { Self.add(echo, to: &body) }
      }
      body.markup("</fieldset>\n")
      fold("Repeat", fields.filter { $0 != .due }, to: &body)
    }
  }

  private func add(_ fields: [ItemField], to body: inout HTML) {
    var isInPair = false
    for field in fields {
      if field.row.kind.isNarrow != isInPair {
        body.markup(isInPair ? "</div>\n" : "<div class=\"pair\">\n")
        isInPair.toggle()
      }
      choosing(field, to: &body) { add(field, to: &$0) }
    }
    if isInPair { body.markup("</div>\n") }
  }

  // Fields that are rarely changed; open if one of them has an error or a conflict.
  private func fold(_ name: StaticString, _ fields: [ItemField], to body: inout HTML) {
    let isOpen = fields.contains { errors[$0] != nil || conflict?.choices[$0] != nil }
    body.markup(isOpen ? "<details class=\"folded\" open><summary>" : "<details class=\"folded\"><summary>")
    body.markup(name)
    let words = fields.filter { $0.row.kind.isNarrow && $0 != .repeatFrom }.map { self.fields[$0] }
    body.element("small") { $0.element("bdi", words.filter { !$0.isEmpty }.joined(separator: ", ")) }
    body.markup("</summary>\n")
    add(fields, to: &body)
    body.markup("</details>\n")
  }

  private func choosing(_ field: ItemField, to body: inout HTML, _ control: (inout HTML) -> Void) {
    if let conflict { conflict.add(field, to: &body, control) } else { control(&body) }
  }

  // MARK: Fields

  private func add(_ name: ItemField, to body: inout HTML) {
    let row = name.row
    var field = Field(name.rawValue, row.label, value: fields[name], error: errors[name])
    (field.hint, field.suggestions) = (row.hint, row.suggestions)
    switch row.kind {
    case .line:
      field.isRequired = true
      // Enter in it adds the item, and the echo below it stays in view.
      field.hasFocus = isNew && errors.isEmpty
    case .words, .several: break
    case .time: return add(field, withPickersTo: &body)
    case .lines: field.control = .lines
    case .flag: field.control = .mark(isOn: fields[name] == "yes")
    case .choice(let choices): field.control = .choice(choices.map { ($0.value, $0.meaning) })
    case .list, .category: field.control = .choice(choices(of: name))
    }
    field.add(to: &body)
  }

  private func add(_ words: Field, withPickersTo body: inout HTML) {
    var (date, time) = (Field("date", "Date", value: fields.date), Field("time", "Time", value: fields.time))
    (date.control, time.control) = (.date, .time)
    var words = words
    (words.label, words.style) = ("Or in words", "field wide")
    body.markup("<div class=\"pair\">\n")
    for field in [date, time, words] { field.add(to: &body) }
    body.markup("</div>\n")
  }

  // The known names, and the field's own name if it is not among them, so that the menu can show it.
  private func choices(of field: ItemField) -> [(value: String, words: String)] {
    let known = if case .list = field.row.kind { lists } else { categories }
    let own = known.contains(fields[field]) || fields[field].isEmpty ? [] : [fields[field]]
    return (field.row.kind.canBeNone ? [("", "none")] : []) + (known + own).map { ($0, $0) }
  }

  // The category is left out if there is none to choose.
  private func isShown(_ field: ItemField) -> Bool {
    guard case .category = field.row.kind else { return true }
    return choices(of: field).count > 1 || conflict?.choices[field] != nil
  }

  // MARK: Its meaning

  private static func add(_ echo: EntryEcho, to body: inout HTML) {
    guard echo.faults.isEmpty else { return }
    body.element("div", ["class": "echo"]) { body in
      let marks = echo.marks.joined(separator: " \u{b7} ")
      if let due = echo.due {
        body.element("p", ["dir": "auto"]) { body in
          body.markup("Due <strong>")
          body.add(due)
          body.markup("</strong>")
          if let repeats = echo.repeats { body.add(", then \(repeats)") }
          body.add(marks.isEmpty ? "." : ", \(marks)")
        }
      } else {
        body.paragraph("No due date: it does not ring.")
        if !marks.isEmpty { body.paragraph(marks.capitalizedFirst, ["dir": "auto"]) }
      }
      for remark in echo.remarks { body.paragraph(remark.capitalizedFirst + ".") }
      guard !echo.rings.isEmpty else { return }
      body.markup("<p>Rings</p>\n<ol>\n")
      for ring in echo.rings { body.element("li", ring) }
      body.markup("</ol>\n")
    }
  }
}

extension FieldRow.Kind {
  /// True if it is shown next to other fields.
  fileprivate var isNarrow: Bool {
    switch self {
    case .words, .several, .choice, .list, .category: true
    case .line, .lines, .time, .flag: false
    }
  }
}
