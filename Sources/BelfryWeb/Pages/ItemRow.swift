import BelfryEngine
import BelfryModel
import WebAccess

/// One item in a list, inside the form of that list.
struct ItemRow {
  private let listing: ItemListing
  private let time: PageTime
  private let scope: AccessScope
  /// The items around it, before and behind which it can be moved; `nil` where it cannot.
  var above: Int64?
  var below: Int64?
  /// The first item that is shown; `nil` for that itself.
  var first: Int64?
  /// True if it names its list.
  var showsList = false

  init(_ listing: ItemListing, _ time: PageTime, _ scope: AccessScope) {
    (self.listing, self.time, self.scope) = (listing, time, scope)
  }

  private var item: Item { listing.item }

  func add(to body: inout HTML) {
    body.markup("<li id=\"i")
    body.add(item.id)
    body.markup(item.isChecked ? "\" class=\"done\">" : "\">")
    addCheck(to: &body)
    body.markup("<div class=\"what\"><a dir=\"auto\" class=\"brief\" id=\"t")
    body.add(item.id)
    body.markup("\" href=\"/items/")
    body.add(item.id)
    body.markup("\">")
    body.add(item.text)
    body.markup("</a><p class=\"when\">")
    if showsList {
      body.markup("<a dir=\"auto\" href=\"/lists/")
      body.add(item.listID)
      body.markup("\">")
      body.add(listing.listName)
      body.markup("</a> ")
    }
    body.due(listing, at: time)
    body.markup("</p></div>")
    if scope.includes(.edit) { addMore(to: &body) }
    body.markup("</li>\n")
  }

  private func addCheck(to body: inout HTML) {
    guard scope.includes(.answer) else {
      return body.markup(
        item.isChecked
          ? "<span class=\"check\" role=\"img\" aria-label=\"checked\"></span>"
          : "<span class=\"check\" role=\"img\" aria-label=\"open\"></span>")
    }
    body.markup("<button class=\"check\" formaction=\"/items/")
    body.add(item.id)
    body.markup(
      item.isChecked ? "/uncheck\" aria-labelledby=\"say-uncheck t" : "/check\" aria-labelledby=\"say-check t")
    body.add(item.id)
    body.markup("\"></button>")
  }

  private func addMore(to body: inout HTML) {
    body.markup("<details class=\"more\" name=\"more\"><summary aria-labelledby=\"say-more t")
    body.add(item.id)
    body.markup("\"></summary><div>")
    addMove("Up", "before", above, to: &body)
    addMove("Down", "after", below, to: &body)
    addMove("To the top", "before", above == first ? nil : first, to: &body)
    if below != nil { addMove("To the end", "end", 1, to: &body) }
    body.markup("<a href=\"/items/")
    body.add(item.id)
    body.markup("\">Edit</a><a href=\"/items/")
    body.add(item.id)
    body.markup("/delete\">Delete</a></div></details>")
  }

  private func addMove(_ label: StaticString, _ name: StaticString, _ value: Int64?, to body: inout HTML) {
    guard let value else { return }
    body.markup("<button formaction=\"/items/")
    body.add(item.id)
    body.markup("/move\" name=\"")
    body.markup(name)
    body.markup("\" value=\"")
    body.add(value)
    body.markup("\">")
    body.markup(label)
    body.markup("</button>")
  }
}
