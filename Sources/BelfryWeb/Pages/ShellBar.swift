import BelfryModel
import WebAccess

extension Shell {
  /// A page, with the name that links to it show.
  struct Place: Sendable {
    let name: String
    let path: String

    static let lists = Place(name: "Lists", path: "/lists")
    static let settings = Place(name: "Settings", path: "/settings")

    /// The page of a list.
    static func list(_ list: Checklist) -> Place { Place(name: list.name, path: "/lists/\(list.id)") }

    /// The page of an item's list.
    static func list(of listing: ItemListing) -> Place {
      Place(name: listing.listName, path: "/lists/\(listing.item.listID)")
    }
  }

  /// The most lists next to a page.
  private static let mostLists = 40

  /// The bar of 48 pixels: the link back, the name of the page, the search, the menu.
  func addBar(_ title: String?, to body: inout HTML) {
    body.markup("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"bar\">")
    if let back {
      body.open("a", ["class": "back", "href": back.path, "aria-label": "Back to \(back.name)"])
      body.icon(.back)
      if title == nil { body.element("span", back.name, ["dir": "auto"]) }
      body.markup("</a>")
    }
    if let title { body.element("h1", title, ["dir": "auto"]) }
    body.markup("<form class=\"search\" role=\"search\" action=\"/search\">")
    body.open(
      "input",
      [
        "type": "search", "name": "q", "value": search, "aria-label": "Search", "placeholder": "Search", "dir": "auto",
      ])
    body.markup("</form><a class=\"tool find\" href=\"/search\" aria-label=\"Search\">")
    body.icon(.search)
    body.markup("</a><button class=\"tool menus\" type=\"button\" popovertarget=\"side\" aria-label=\"Menu\">")
    body.icon(.menu)
    body.markup("</button></header>\n")
  }

  /// The links to other pages: next to a wide page, otherwise behind the button of the bar.
  func addSide(here: String, to body: inout HTML) {
    body.markup("<nav id=\"side\" class=\"side\" popover aria-label=\"Pages\">\n")
    add("Today", "/", .today, here, to: &body)
    add("Agenda", "/agenda", .agenda, here, to: &body)
    add(Place.lists.name, Place.lists.path, .list, here, to: &body)
    body.markup("<div class=\"own\">")
    for list in lists.prefix(Self.mostLists) {
      add(list.name, "/lists/\(list.id)", here, to: &body) { $0.sign(of: list) }
    }
    if lists.count > Self.mostLists {
      add("\(lists.count - Self.mostLists) more", Place.lists.path, "", to: &body) { $0.dot(nil) }
    }
    body.markup("</div>\n")
    add(Place.settings.name, Place.settings.path, .settings, here, to: &body)
    body.markup("<div class=\"who\">")
    body.element("span", visitor.grant.person ?? visitor.shownName, ["dir": "auto"])
    if visitor.kind == .session { body.form(action: "/sign-out", button: "Sign out") }
    body.markup("</div></nav>\n")
  }

  private func add(_ name: String, _ path: String, _ icon: Icon, _ here: String, to body: inout HTML) {
    add(name, path, here, to: &body) { $0.icon(icon) }
  }

  private func add(_ name: String, _ path: String, _ here: String, to body: inout HTML, sign: (inout HTML) -> Void) {
    body.open("a", here == path ? ["href": path, "aria-current": "page"] : ["href": path])
    sign(&body)
    body.element("span", name, ["dir": "auto"])
    body.markup("</a>")
  }
}
