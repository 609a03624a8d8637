/// A page that asks before something is deleted, or sent again.
struct ConfirmationPage: Sendable {
  let question: String
  /// The consequence, in one sentence.
  let consequence: String
  /// The path that its form posts to.
  let action: String
  let button: String
  /// The page to go back to.
  let back: String
  /// The class of the button.
  var style = "danger"
  /// The words of the link back.
  var refusal = "Keep it"
  /// The hidden fields of the form.
  var fields: [(name: String, value: String)] = []

  func add(to body: inout HTML) {
    body.element("h1", question, ["dir": "auto", "class": question.utf8.count > 60 ? "long" : "short"])
    body.paragraph(consequence, ["class": "lead", "dir": "auto"])
    body.markup("<div class=\"actions\">")
    body.element("form", ["method": "post", "action": action]) { body in
      for (name, value) in fields { body.hidden(name, value) }
      body.element("button", button, ["class": style, "dir": "auto"])
    }
    body.element("a", refusal, ["href": back, "class": "button"])
    body.markup("</div>\n")
  }
}
