import BelfryModel
import ItemEntry

/// The fields of an item's form that both the visitor and somebody else changed after the form was shown, and what to
/// keep of each.
struct ItemConflict: Sendable {
  /// The value that a field keeps.
  enum Choice: String, Sendable {
    case now
    /// The value of the form.
    case typed
  }

  /// The item's fields as they are now.
  let present: ItemFields
  private(set) var choices: [ItemField: Choice] = [:]
  /// True if the visitor has to choose, since they have not seen the item's own value of some fields.
  private(set) var isOpen = false

  /// The conflict of a form that was sent with the item as it is now.
  ///
  /// A field that only somebody else changed takes the current value in `typed`: there is nothing to choose. Of a field
  /// that both changed, what was typed is kept unless the visitor chose.
  ///
  /// - Throws: ``Problem`` 400 for text that is not UTF-8.
  init(_ sent: FormFields, typed: inout ItemFields, present: ItemFields) throws(Problem) {
    self.present = present
    let shown = try sent.text("version") ?? ""
    for field in typed.changes(from: present) {
      let isUnseen = !present.has(field, inVersion: shown)
      let chosen = Choice(rawValue: try sent.text("keep_\(field.rawValue)") ?? "")
      guard isUnseen || chosen != nil else { continue }
      guard chosen != nil || !typed.has(field, inVersion: shown) else {
        typed.take(field, from: present)
        continue
      }
      choices[field] = chosen ?? .typed
      if isUnseen { isOpen = true }
    }
  }

  /// The form's fields, with the item's own value if that was chosen.
  func merged(_ typed: ItemFields) -> ItemFields {
    var fields = typed
    for (field, choice) in choices where choice == .now { fields.take(field, from: present) }
    return fields
  }

  /// The announcement of the conflict.
  func addWarning(to body: inout HTML) {
    guard isOpen else { return }
    body.element("div", ["class": "faults", "role": "alert"]) { body in
      body.paragraph(
        "This item was changed after this page was shown. Nothing is saved yet: choose below what to keep, and save.")
    }
  }

  /// A field with the choice between the item's own value and the typed one.
  func add(_ field: ItemField, to body: inout HTML, _ control: (inout HTML) -> Void) {
    guard let choice = choices[field] else { return control(&body) }
    body.element("fieldset", ["class": "choice"]) { body in
      body.markup("<legend>")
      body.markup(field.row.label)
      body.markup(": changed meanwhile</legend>\n")
      let isFirst = field == ItemField.allCases.first { choices[$0] != nil }
      Self.add(.now, of: field, isChosen: choice == .now, hasFocus: isFirst, to: &body) { body in
        let words = present.value(of: field)
        body.markup("<span>Keep the current value: <q dir=\"auto\">")
        body.add(words.isEmpty ? "none" : words)
        body.markup("</q></span>")
      }
      Self.add(.typed, of: field, isChosen: choice == .typed, to: &body) { $0.markup("Keep this:") }
      control(&body)
    }
  }

  private static func add(
    _ choice: Choice, of field: ItemField, isChosen: Bool, hasFocus: Bool = false, to body: inout HTML,
    _ words: (inout HTML) -> Void
  ) {
    body.markup("<label class=\"mark\"><input type=\"radio\"")
    if hasFocus { body.markup(" autofocus") }
    body.markup(" name=\"keep_")
    body.add(field.rawValue)
    body.markup("\" value=\"")
    body.add(choice.rawValue)
    body.markup(isChosen ? "\" checked> " : "\"> ")
    words(&body)
    body.markup("</label>\n")
  }
}
