import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// Checking and unchecking items, and deleting them.
struct MarkRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .post, path: "/items/:id/check", right: .scope(.answer)) { try await mark(true, $0, $1) },
      WebRoute(method: .post, path: "/items/:id/uncheck", right: .scope(.answer)) { try await mark(false, $0, $1) },
      WebRoute(method: .get, path: "/items/:id/delete", right: .scope(.edit)) { try await confirm($0, $1) },
      WebRoute(method: .post, path: "/items/:id/delete", right: .scope(.edit)) { try await delete($0, $1) },
    ]
  }

  private func mark(_ isChecked: Bool, _ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let sent = try await FormFields(request)
    let change = try await calls.markedChange(by: visitor) { sight in
      _ = try sight.item(id)
    } _: { belfry in
      _ = try belfry.setChecked(isChecked, [id])
    }
    let back = try WayBack.path(sent, or: "/items/\(id)")
    return try await calls.reply(
      after: isChecked ? .checked : .unchecked, item: id, change: change.mark, back: back, to: request, visitor)
  }

  private func confirm(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    var (listing, shell) = try await calls.page(request, visitor) { try $0.item(id) }
    let page = ConfirmationPage(
      question: "Delete \(listing.item.text)?",
      consequence: "This deletes the item and its reminders. It can be undone for a day.",
      action: "/items/\(id)/delete", button: "Delete", back: "/items/\(id)")
    shell.back = .list(of: listing)
    return shell.response("Delete an item", to: request, hasHeading: true) { page.add(to: &$0) }
  }

  private func delete(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let deleted = try await calls.markedChange(by: visitor) { sight in
      _ = try sight.item(id)
    } _: { belfry in
      try belfry.delete([id])
    }
    let list = deleted.value.first.map { "/lists/\($0.item.listID)" } ?? "/"
    return .leading(to: Notice.path(list, after: .deleted, item: id, change: deleted.mark))
  }
}
