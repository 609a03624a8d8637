import BelfryEngine
import BelfryModel

/// The fields of a list's name, colour and icon, with the typed values and their errors.
struct ListLookFields: Sendable, SharedFields {
  private var name: String
  private var color: String
  private var icon: String
  /// The errors, by the name of the field.
  var errors: [String: String] = [:]

  static var fields: [(name: String, path: WritableKeyPath<Self, String>)] {
    [("name", \.name), ("color", \.color), ("icon", \.icon)]
  }

  init(_ list: Checklist) { (name, color, icon) = (list.name, list.color?.hex ?? "", list.icon?.text ?? "") }

  /// - Throws: ``Problem`` 400 for values that no form sends.
  init(_ fields: FormFields) throws(Problem) {
    name = try fields.text("name") ?? ""
    (color, icon) = (try fields.text("color") ?? "", try fields.text("icon") ?? "")
  }

  /// The change that was typed; `nil` with errors.
  mutating func edit() -> ListEdit? {
    var edit = ListEdit()
    edit.name = name
    do { edit.color = try color.isEmpty ? .clear : .set(ListColor(parsing: color)) } catch {
      errors["color"] = error.forWhoTyped
    }
    do { edit.icon = try icon.isEmpty ? .clear : .set(ListIcon(parsing: icon)) } catch {
      errors["icon"] = error.forWhoTyped
    }
    return errors.isEmpty ? edit : nil
  }

  func add(to body: inout HTML) {
    var field = Field("name", "Name of the list", value: name, error: errors["name"])
    field.isRequired = true
    field.add(to: &body)
    addColors(to: &body)
    field = Field("icon", "Icon", value: icon, error: errors["icon"])
    field.hint = "One character, such as an emoji; empty for none."
    field.suggestions = [
      "\u{1F3E0}", "\u{1F6D2}", "\u{1F4BC}", "\u{1F393}", "\u{1F381}", "\u{1F48A}", "\u{1F33F}", "\u{1F697}",
    ]
    field.style = "field short"
    field.add(to: &body)
  }

  private func addColors(to body: inout HTML) {
    body.markup("<fieldset class=\"colors wide\"><legend>Colour</legend>")
    addColor("", "none", nil, to: &body)
    for (name, color) in ListColor.named { addColor(color.hex, name, color, to: &body) }
    if let own = try? ListColor(parsing: color), own.words == own.hex { addColor(own.hex, own.hex, own, to: &body) }
    body.markup("</fieldset>\n")
    if let error = errors["color"] { body.paragraph(error, ["class": "error"]) }
  }

  private func addColor(_ value: String, _ words: String, _ color: ListColor?, to body: inout HTML) {
    body.markup("<label><input type=\"radio\" name=\"color\" value=\"")
    body.add(value)
    body.markup(value == self.color ? "\" checked>" : "\">")
    body.dot(color)
    body.element("span", words)
    body.markup("</label>")
  }
}

extension HTML {
  /// The icon of a list on a field of its colour, or a dot of the colour; screen readers ignore it.
  mutating func sign(of list: Checklist) {
    guard let icon = list.icon else { return dot(list.color) }
    markup("<svg class=\"sign\" viewBox=\"0 0 20 20\" aria-hidden=\"true\">")
    if let color = list.color {
      open("circle", ["cx": "10", "cy": "10", "r": "10", "fill": color.hex, "fill-opacity": ".3"])
      markup("</circle>")
    }
    element("text", icon.text, ["x": "10", "y": "14.5", "text-anchor": "middle"])
    markup("</svg>")
  }

  /// A dot of a colour, or a circle for none.
  mutating func dot(_ color: ListColor?) {
    markup("<svg class=\"sign\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><circle cx=\"10\" cy=\"10\" r=\"6\" ")
    if let color {
      markup("fill=\"")
      add(color.hex)
      markup("\"/></svg>")
    } else {
      markup("class=\"bare\"/></svg>")
    }
  }
}
