import BelfryModel

/// The page with all fields of a new item, and what they mean.
struct NewItemPage: Sendable {
  let list: Checklist
  var form: ItemForm

  func add(to body: inout HTML) {
    body.addTrail(list: (list.id, list.name))
    body.markup("<h1>New item</h1>\n")
    body.element("form", ["class": "item", "method": "post", "action": "/lists/\(list.id)/items"]) { body in
      form.addFields(to: &body)
      body.markup("<div class=\"actions\"><button class=\"main\"")
      // The echo is shown, so Enter adds the item.
      body.markup(form.echo != nil && form.errors.isEmpty ? " autofocus>Add</button>" : ">Add</button>")
      body.markup("<button name=\"show\" value=\"yes\">Show when it rings</button></div>\n")
    }
  }
}

extension HTML {
  /// The way back to the lists, and to one of them.
  mutating func addTrail(list: (id: Int64, name: String)?) {
    markup("<nav class=\"trail\" aria-label=\"Place\"><a href=\"/\">Lists</a>")
    if let list {
      markup(" <a dir=\"auto\" href=\"/lists/")
      add(list.id)
      markup("\">")
      add(list.name)
      markup("</a>")
    }
    markup("</nav>\n")
  }
}
