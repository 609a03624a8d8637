/// The page with all fields of a new item, and what they mean.
struct NewItemPage: Sendable {
  /// The path to which its form is sent.
  let action: String
  /// The page to which it leads back.
  let back: Shell.Place
  var form: ItemForm

  func add(to body: inout HTML) {
    body.element("form", ["class": "item", "method": "post", "action": action]) { body in
      body.hidden("back", back.path)
      form.addFields(to: &body)
      body.markup("<div class=\"actions\"><button class=\"main\"")
      // The echo is shown, so Enter adds the item.
      body.markup(form.echo != nil && form.errors.isEmpty ? " autofocus>Add</button>" : ">Add</button>")
      body.markup("<button name=\"show\" value=\"yes\">Show when it rings</button></div>\n")
    }
  }
}
