import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// The undo and redo of a visitor's last change.
struct UndoRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .post, path: "/undo", right: .scope(.edit)) { try await step(.undo, $0, $1) },
      WebRoute(method: .post, path: "/redo", right: .scope(.edit)) { try await step(.redo, $0, $1) },
    ]
  }

  private func step(
    _ direction: UndoRecord.Direction, _ request: Request, _ context: WebContext
  ) async throws -> Response {
    let (visitor, fields) = (try context.signedIn(), try await FormFields(request))
    let (change, back) = (try fields.text("change"), try WayBack.path(fields, or: "/"))
    let undone = try await calls.markedChange(by: visitor, leaving: direction.opposite) { sight in
      // Otherwise a form that is sent twice would also undo the change before.
      if let change, try sight.reading.view.undoRecord(direction, by: visitor.author)?.mark != change {
        throw Problem(.conflict, "something else was changed since", hint: "nothing was undone")
      }
    } _: { belfry in
      try direction == .undo ? belfry.undo() : belfry.redo()
    }
    let isGone = Self.paths(removedBy: undone.value).contains { back == $0 || back.hasPrefix("\($0)?") }
    return .leading(
      to: Notice.path(isGone ? "/" : back, after: direction == .undo ? .undone : .redone, change: undone.mark))
  }

  // The pages of deleted items and lists.
  private static func paths(removedBy undone: UndoneChange) -> [String] {
    undone.items.filter { $0.fate == .removed }.map { "/items/\($0.change.listing.item.id)" }
      + undone.lists.filter { $0.fate == .removed }.map { "/lists/\($0.list.id)" }
  }
}
