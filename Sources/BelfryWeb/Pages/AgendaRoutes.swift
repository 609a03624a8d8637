import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

struct AgendaRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup

  var routes: [WebRoute] {
    [WebRoute(method: .get, path: "/agenda", right: .scope(.read)) { try await show($0, $1) }]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let fields = FormFields(query: request)
    let (page, shell) = try await calls.wholePage(request, visitor) { try self.page(fields, $0, visitor) }
    return shell.response(page.span.heading, to: request) { page.add(to: &$0) }
  }

  private func page(_ fields: FormFields, _ sight: Sight, _ visitor: Access) throws -> AgendaPage {
    let reading = sight.reading
    let span = try AgendaSpan(fields, today: reading.planner.floatingZone.wallTime(at: reading.now).date)
    let overdue = span.isPresent ? try overdue(sight) : []
    let reader = AgendaReader(sight: sight, span: span, settings: calls.belfry.settings, sinks: setup.sinks)
    let (entries, hasMore) = try reader.entries()
    return AgendaPage(
      span: span, overdue: Array(overdue.prefix(AgendaPage.mostOverdue)),
      hasMoreOverdue: overdue.count > AgendaPage.mostOverdue, entries: entries, hasMore: hasMore,
      time: PageTime(reading), scope: visitor.grant.scope)
  }

  private func overdue(_ sight: Sight) throws -> [ItemListing] {
    let lists = Set(try sight.lists().map(\.id))
    var found: [ItemListing] = []
    try sight.reading.view.visitItems(ItemQuery(dueBefore: sight.reading.now)) { listing in
      try Task.checkCancellation()
      if lists.contains(listing.item.listID) { found.append(listing) }
      return found.count > AgendaPage.mostOverdue ? .stop : .next
    }
    return found
  }
}
