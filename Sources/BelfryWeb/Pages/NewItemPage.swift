/// The page with all fields of a new item, and their meaning.
struct NewItemPage: Sendable {
  /// The path to which its form is sent.
  let action: String
  /// The page to which the arrow of the bar leads.
  let back: Shell.Place
  /// The path of the page that follows once the item is added.
  var next: String
  var form: ItemForm

  func add(to body: inout HTML) {
    body.element("form", ["class": "item", "method": "post", "action": action]) { body in
      body.hidden("back", next)
      form.addFields(to: &body)
      body.markup("<div class=\"actions\"><button class=\"main\">Add</button>")
      body.markup("<button name=\"show\" value=\"yes\">Show when it rings</button></div>\n")
    }
  }
}
