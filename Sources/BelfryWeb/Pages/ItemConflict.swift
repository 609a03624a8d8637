/// The fields of an item's form that differ from the item because somebody changed it after the form was shown, and what
/// to keep of each.
struct ItemConflict: Sendable {
  /// The value that a field keeps.
  enum Choice: String, Sendable {
    /// The item's own value.
    case now
    /// The value of the form.
    case typed
  }

  /// The item's fields as they are now.
  let present: ItemFields
  /// The choices; that of the whole due date stands under `date`.
  private(set) var choices: [ItemFields.Name: Choice] = [:]
  /// True if a choice is to be made: of some of the fields, the visitor has not seen the item's own value.
  private(set) var isOpen = false

  /// The conflict of a form that was sent with the item as it is now.
  ///
  /// Unless the visitor chose, what was typed is kept, and of a field in which nothing was typed what it is now.
  ///
  /// - Throws: ``Problem`` 400 for what is not UTF-8.
  init(_ sent: FormFields, typed: ItemFields, present: ItemFields) throws(Problem) {
    self.present = present
    let shown = try sent.text("version") ?? ""
    let differing = Set(typed.changes(from: present))
    for name in ItemFields.Name.allCases where name.whole == name && !differing.isDisjoint(with: name.parts) {
      let isUnseen = !present.have(name.parts, inVersion: shown)
      let chosen = Choice(rawValue: try sent.text("keep_\(name.rawValue)") ?? "")
      guard isUnseen || chosen != nil else { continue }
      choices[name] = chosen ?? (typed.have(name.parts, inVersion: shown) ? .now : .typed)
      if isUnseen { isOpen = true }
    }
  }

  /// The fields to keep.
  func merged(_ typed: ItemFields) -> ItemFields {
    var fields = typed
    for (name, choice) in choices where choice == .now {
      for part in name.parts { fields[part] = present[part] }
    }
    return fields
  }

  /// The announcement of the conflict.
  func addWarning(to body: inout HTML) {
    guard isOpen else { return }
    body.element("div", ["class": "faults", "role": "alert"]) { body in
      body.paragraph(
        "This item was changed after this page was shown. Nothing is kept yet: choose below what to keep, and save.")
    }
  }

  /// A field with the choice between the item's own value and what stands in the field.
  func add(_ name: ItemFields.Name, to body: inout HTML, _ field: (inout HTML) -> Void) {
    guard let choice = choices[name] else { return field(&body) }
    body.element("fieldset", ["class": "choice"]) { body in
      body.markup("<legend>")
      body.add(name == .date ? "Due date" : name.words)
      body.markup(": changed meanwhile</legend>\n")
      Self.add(.now, of: name, isChosen: choice == .now, to: &body) { body in
        let words = name.parts.map { present[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
        body.markup("<span>Keep what it is now: <q dir=\"auto\">")
        body.add(words.isEmpty ? "none" : words)
        body.markup("</q></span>")
      }
      Self.add(.typed, of: name, isChosen: choice == .typed, to: &body) { $0.markup("Keep this:") }
      field(&body)
    }
  }

  private static func add(
    _ choice: Choice, of name: ItemFields.Name, isChosen: Bool, to body: inout HTML, _ words: (inout HTML) -> Void
  ) {
    body.markup("<label class=\"mark\"><input type=\"radio\" name=\"keep_")
    body.add(name.rawValue)
    body.markup("\" value=\"")
    body.add(choice.rawValue)
    body.markup(isChosen ? "\" checked> " : "\"> ")
    words(&body)
    body.markup("</label>\n")
  }
}

extension ItemFields.Name {
  /// The field under which a choice stands.
  fileprivate var whole: Self { self == .time || self == .due ? .date : self }

  /// The fields about which one choice is made.
  fileprivate var parts: [Self] { Self.allCases.filter { $0.whole == self } }
}
