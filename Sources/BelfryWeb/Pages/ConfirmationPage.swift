/// A page that asks before something is deleted.
struct ConfirmationPage: Sendable {
  let question: String
  /// What is deleted with it, one sentence.
  let consequence: String
  /// The path that its form posts to.
  let action: String
  let button: String
  /// The page to go back to.
  let back: String
  /// The list it is about.
  let list: (id: Int64, name: String)
  /// The hidden fields of the form.
  var fields: KeyValuePairs<String, String> = [:]

  func add(to body: inout HTML) {
    body.addTrail(list: list)
    body.element("h1", question, ["dir": "auto", "class": question.utf8.count > 60 ? "long" : "short"])
    body.paragraph(consequence, ["class": "lead"])
    body.markup("<div class=\"actions\">")
    body.form(action: action, button: button, style: "danger", fields: fields)
    body.element("a", "Keep it", ["href": back, "class": "button"])
    body.markup("</div>\n")
  }
}
