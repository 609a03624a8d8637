import BelfryEngine
import BelfryModel
import WebAccess

/// The items of all lists that contain some words.
struct SearchPage: Sendable {
  /// The most items that it shows.
  static let most = 200

  let words: String
  let items: [ItemListing]
  let hasMore: Bool
  let time: PageTime
  let scope: AccessScope
  let path: String

  func add(to body: inout HTML) {
    guard !words.isEmpty else { return addForm(to: &body) }
    body.live("found") { body in
      let count = counted(items.count, "item")
      body.paragraph(
        items.isEmpty ? "No item holds these words." : hasMore ? "The first \(count):" : "\(count):",
        ["class": "facts"])
      guard !items.isEmpty else { return }
      body.rows(scope, back: path) { $0.items(items, at: time, scope) }
    }
  }

  private func addForm(to body: inout HTML) {
    body.element("form", ["class": "line", "role": "search", "action": "/search"]) { body in
      var field = Field("q", "Words in texts and notes", value: "")
      field.hint = "#List, @tag, !high"
      field.hasFocus = true
      field.add(to: &body)
      body.markup("<button class=\"main\">Search</button>\n")
    }
  }
}
