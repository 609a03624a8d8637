import BelfryEngine
import BelfryModel
import FoundationEssentials
import WebAccess

/// A filter of the items that a search finds.
enum SearchFilter: String, CaseIterable {
  case overdue, undated, repeating

  /// Its name on a link.
  var name: String {
    switch self {
    case .overdue: "Overdue"
    case .undated: "No date"
    case .repeating: "Repeats"
    }
  }

  func includes(_ item: Item, at now: Date) -> Bool {
    switch self {
    case .overdue: item.isOverdue(at: now)
    case .undated: item.due == nil
    case .repeating: item.recurrence != nil
    }
  }
}

/// The items of all lists that contain some words, or that a filter includes.
struct SearchPage: Sendable {
  /// The most items that it shows.
  static let most = 200

  let words: String
  let filter: SearchFilter?
  let items: [ItemListing]
  let hasMore: Bool
  let time: PageTime
  let scope: AccessScope

  func add(to body: inout HTML) {
    addForm(to: &body)
    addViews(to: &body)
    guard !words.isEmpty || filter != nil else { return }
    body.live("found") { body in
      let count = counted(items.count, "item")
      body.paragraph(
        items.isEmpty
          ? filter == nil ? "No item holds these words." : "There are no such items."
          : hasMore ? "The first \(count):" : "\(count):",
        ["class": "facts"])
      guard !items.isEmpty else { return }
      body.rows(scope) { $0.items(items, at: time, scope, back: Self.path(words, filter)) }
    }
  }

  /// The path of the page of a search.
  static func path(_ words: String, _ filter: SearchFilter?) -> String {
    let query = [
      words.isEmpty ? nil : "q=\(FormFields.encoded(words))", filter.map { "only=\($0.rawValue)" },
    ].compactMap(\.self).joined(separator: "&")
    return "/search" + (query.isEmpty ? "" : "?\(query)")
  }

  private func addViews(to body: inout HTML) {
    body.markup("<nav class=\"views\" aria-label=\"Items to show\">")
    // Without words, "All" would list every item, which is no search.
    let choices: [SearchFilter?] = (words.isEmpty ? [] : [nil]) + SearchFilter.allCases.map(Optional.some)
    for choice in choices {
      let (name, path) = (choice?.name ?? "All", Self.path(words, choice))
      body.element("a", name, choice == filter ? ["href": path, "aria-current": "true"] : ["href": path])
    }
    body.markup("</nav>\n")
  }

  // Where the bar has a field, only a search that has yet to begin has one here as well.
  private func addForm(to body: inout HTML) {
    let style = words.isEmpty ? "line" : "line narrow"
    body.element("form", ["class": style, "role": "search", "action": "/search"]) { body in
      var field = Field("q", "Words in texts and notes", value: words)
      field.hint = "#List, @tag, !high"
      field.hasFocus = words.isEmpty
      field.add(to: &body)
      body.markup("<button class=\"main\">Search</button>\n")
    }
  }
}
