import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

struct SearchRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [WebRoute(method: .get, path: "/search", right: .scope(.read)) { try await search($0, $1) }]
  }

  private func search(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let fields = FormFields(query: request)
    let words = try fields.text("q")?.trimmingWhitespace() ?? ""
    let filter = try fields.text("only").flatMap(SearchFilter.init(rawValue:))
    var (page, shell) = try await calls.wholePage(request, visitor) { sight in
      let found = try Self.find(words, filter, sight)
      return SearchPage(
        words: words, filter: filter, items: Array(found.prefix(SearchPage.most)),
        hasMore: found.count > SearchPage.most,
        time: PageTime(sight.reading), scope: visitor.grant.scope)
    }
    shell.search = words
    return shell.response(words.isEmpty ? "Search" : "Search: \(words)", to: request) { page.add(to: &$0) }
  }

  /// The items that a visitor finds by words and a filter, one more than a page shows if there are more.
  ///
  /// - Throws: `CancellationError` if the request was cancelled.
  static func find(_ words: String, _ filter: SearchFilter?, _ sight: Sight) throws -> [ItemListing] {
    let seen = try sight.lists()
    let search = WordSearch(words) { seen.map(\.name) }
    guard !search.isEmpty || filter != nil else { return [] }
    let lists = Set(seen.map(\.id))
    var found: [ItemListing] = []
    // Unchecked items come first.
    for checked in [ItemQuery.Checked.unchecked, .checked] where found.count <= SearchPage.most {
      try sight.reading.view.visitItems(ItemQuery(checked: checked)) { listing in
        try Task.checkCancellation()
        let isWanted = filter?.includes(listing.item, at: sight.reading.now) ?? true
        if isWanted, lists.contains(listing.item.listID), search.finds(listing) { found.append(listing) }
        return found.count > SearchPage.most ? .stop : .next
      }
    }
    return found
  }
}
