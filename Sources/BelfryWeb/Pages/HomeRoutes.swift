import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// The first page, new lists, and the search.
struct HomeRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/", right: .scope(.read)) { try await home($0, $1) },
      WebRoute(method: .post, path: "/lists", right: .allLists(.edit)) { try await make($0, $1) },
      WebRoute(method: .get, path: "/search", right: .scope(.read)) { try await search($0, $1) },
    ]
  }

  private func home(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let ((page, leftOut), notice) = try await calls.read(for: visitor) { sight in
      (try sight.leavingOut { try Self.page(sight, visitor) }, try Notice(request, visitor, sight))
    }
    return Shell(visitor: visitor, notice: notice, leftOut: leftOut).response("Lists", to: request) {
      page.add(to: &$0)
    }
  }

  private static func page(_ sight: Sight, _ visitor: Access) throws -> ListsPage {
    ListsPage(
      summaries: try sight.summaries(), time: PageTime(sight.reading),
      mayMake: visitor.may(.edit) && visitor.grant.isForAllLists)
  }

  private func make(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, fields) = (try context.signedIn(), try await FormFields(request, upTo: FormFields.mostText))
    let name = try fields.text("name") ?? ""
    do {
      let summary = try await calls.change(by: visitor) { _ in
      } _: { belfry in
        try belfry.createList(name)
      }
      return .leading(to: Notice.path("/lists/\(summary.list.id)", after: .made))
    } catch let error as BelfryError where error.isForWhoTyped {
      var page = try await calls.read(for: visitor) { try Self.page($0, visitor) }
      page.typed = (name, error.forWhoTyped)
      return Shell(visitor: visitor).response("Lists", to: request, status: .unprocessableContent) {
        page.add(to: &$0)
      }
    }
  }

  private func search(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let words = try FormFields(query: request).text("q")?.trimmingWhitespace() ?? ""
    let (page, leftOut, notice) = try await calls.read(for: visitor) { sight in
      let (found, leftOut) = try sight.leavingOut { try Self.find(words, sight) }
      let page = SearchPage(
        words: words, items: Array(found.prefix(SearchPage.most)), hasMore: found.count > SearchPage.most,
        time: PageTime(sight.reading), scope: visitor.grant.scope, path: "/search?q=\(FormFields.encoded(words))")
      return (page, leftOut, try Notice(request, visitor, sight))
    }
    return Shell(visitor: visitor, notice: notice, search: words, leftOut: leftOut).response(
      words.isEmpty ? "Search" : "Search: \(words)", to: request
    ) { page.add(to: &$0) }
  }

  private static func find(_ words: String, _ sight: Sight) throws -> [ItemListing] {
    let seen = try sight.lists()
    let search = WordSearch(words) { seen.map(\.name) }
    guard !search.isEmpty else { return [] }
    let lists = Set(seen.map(\.id))
    var found: [ItemListing] = []
    // Unchecked items come first.
    for checked in [ItemQuery.Checked.unchecked, .checked] where found.count <= SearchPage.most {
      try sight.reading.view.visitItems(ItemQuery(checked: checked)) { listing in
        if lists.contains(listing.item.listID), search.finds(listing) { found.append(listing) }
        return found.count > SearchPage.most ? .stop : .next
      }
    }
    return found
  }
}

extension BelfryError {
  /// True if whoever typed something can mend it.
  var isForWhoTyped: Bool { [.badInput, .usage, .notFound].contains(kind) }

  /// The fault and the next step, as sentences beside a field.
  var forWhoTyped: String {
    message.capitalizedFirst + "." + (hint.map { " \($0.capitalizedFirst)." } ?? "")
  }
}
