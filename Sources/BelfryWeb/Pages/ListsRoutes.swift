import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// The page of all lists, and new ones.
struct ListsRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/lists", right: .scope(.read)) { try await show($0, $1) },
      WebRoute(method: .post, path: "/lists", right: .allLists(.edit)) { try await make($0, $1) },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let (page, shell) = try await calls.wholePage(request, visitor) { try Self.page($0, visitor) }
    return shell.response("Lists", to: request) { page.add(to: &$0) }
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
      let made = try await calls.markedChange(by: visitor) { _ in
      } _: { belfry in
        try belfry.createList(name)
      }
      return .leading(to: Notice.path("/lists/\(made.value.list.id)", after: .made, change: made.mark))
    } catch let error as BelfryError where error.isForWhoTyped {
      var (page, shell) = try await calls.page(request, visitor) { try Self.page($0, visitor) }
      page.typed = (name, error.forWhoTyped)
      return shell.response("Lists", to: request, status: .unprocessableContent) { page.add(to: &$0) }
    }
  }
}
