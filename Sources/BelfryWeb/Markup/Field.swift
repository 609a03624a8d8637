import BelfryModel

/// A field of a form with its label, a hint, and the error of the typed value.
struct Field {
  enum Control {
    case line
    case lines
    case date
    case time
    case choice([(value: String, words: String)])
    case mark(isOn: Bool)
  }

  let name: String
  /// Its id, which no other field of the page has.
  var id: String
  var label: StaticString
  var value: String
  var control = Control.line
  var hint: StaticString?
  /// An example, shown while nothing is typed.
  var placeholder: StaticString?
  var error: String?
  var isRequired = false
  var hasFocus = false
  /// Values that the control offers.
  var suggestions: [StaticString] = []
  /// A class instead of the usual one.
  var style = "field"

  init(_ name: String, _ label: StaticString, value: String, error: String? = nil) {
    (self.name, id, self.label, self.value, self.error) = (name, "f-\(name)", label, value, error)
  }

  func add(to body: inout HTML) {
    body.open("div", ["class": error == nil ? style : "\(style) wrong"])
    if case .mark(let isOn) = control {
      body.markup("<label class=\"mark\"><input type=\"checkbox\"")
      addCommon(to: &body)
      body.markup(isOn ? " value=\"yes\" checked> " : " value=\"yes\"> ")
      body.markup(label)
      body.markup("</label>")
    } else {
      body.markup("<label for=\"")
      body.add(id)
      body.markup("\">")
      body.markup(label)
      body.markup("</label>")
      addControl(to: &body)
    }
    addSuggestions(to: &body)
    if let hint {
      body.open("p", ["class": "hint", "id": "h-\(name)"])
      body.markup(hint)
      body.markup("</p>")
    }
    if let error { body.element("p", error, ["class": "error", "id": "e-\(name)", "dir": "auto"]) }
    body.markup("</div>\n")
  }

  private func addControl(to body: inout HTML) {
    switch control {
    case .choice(let choices):
      body.markup("<select")
      addCommon(to: &body)
      body.markup(">")
      for choice in choices {
        body.markup("<option dir=\"auto\" value=\"")
        body.add(choice.value)
        body.markup(choice.value == value ? "\" selected>" : "\">")
        body.add(choice.words)
        body.markup("</option>")
      }
      body.markup("</select>")
    case .lines:
      body.markup("<textarea rows=\"4\" dir=\"auto\"")
      addCommon(to: &body)
      // A browser drops one line break at the start.
      body.markup(">\n")
      body.add(value)
      body.markup("</textarea>")
    case .line, .date, .time, .mark:
      body.markup("<input")
      switch control {
      case .date: body.markup(" type=\"date\" max=\"9999-12-31\"")
      case .time: body.markup(" type=\"time\"")
      default: body.markup(" dir=\"auto\" autocomplete=\"off\"")
      }
      addCommon(to: &body)
      body.markup(" value=\"")
      body.add(value)
      body.markup("\">")
    }
  }

  private func addSuggestions(to body: inout HTML) {
    guard !suggestions.isEmpty else { return }
    body.open("datalist", ["id": "s-\(name)"])
    for suggestion in suggestions {
      body.markup("<option value=\"")
      body.markup(suggestion)
      body.markup("\">")
    }
    body.markup("</datalist>")
  }

  private func addCommon(to body: inout HTML) {
    body.markup(" id=\"")
    body.add(id)
    body.markup("\" name=\"")
    body.add(name)
    body.markup("\"")
    let notes = [hint == nil ? nil : "h-\(name)", error == nil ? nil : "e-\(name)"].compactMap(\.self)
    if !notes.isEmpty {
      body.markup(" aria-describedby=\"")
      body.add(notes.joined(separator: " "))
      body.markup("\"")
    }
    if !suggestions.isEmpty {
      body.markup(" list=\"s-")
      body.add(name)
      body.markup("\"")
    }
    if error != nil { body.markup(" aria-invalid=\"true\"") }
    if let placeholder {
      body.markup(" placeholder=\"")
      body.markup(placeholder)
      body.markup("\"")
    }
    if isRequired { body.markup(" required") }
    if hasFocus || error != nil { body.markup(" autofocus") }
  }
}

extension BelfryError {
  /// True if the person who typed it can correct it.
  var isForWhoTyped: Bool { [.badInput, .usage, .notFound].contains(kind) }

  /// The fault and the next step, as sentences next to a field.
  var forWhoTyped: String {
    message.capitalizedFirst + "." + (hint.map { " \($0.capitalizedFirst)." } ?? "")
  }
}
