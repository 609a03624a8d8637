/// The line that adds an item.
struct QuickLine {
  /// The path to which it is sent.
  let action: String
  /// The page to which it returns.
  let back: String
  /// The line that was typed, and its error.
  let typed: (line: String, error: String?)

  func add(to body: inout HTML) {
    body.element("form", ["class": "line quick", "method": "post", "action": action]) { body in
      body.hidden("back", back)
      var field = Field("line", "New item", value: typed.line, error: typed.error)
      field.placeholder = "Bins every tuesday 7am #Home"
      field.isRequired = true
      field.add(to: &body)
      body.markup("<button class=\"main\"><span>Add</span>")
      body.icon(.add)
      body.markup("</button>\n")
    }
  }
}
