import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// The undo of what a visitor changed last.
struct UndoRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [WebRoute(method: .post, path: "/undo", right: .scope(.edit)) { try await undo($0, $1) }]
  }

  private func undo(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, fields) = (try context.signedIn(), try await FormFields(request))
    let (change, back) = (try fields.text("change"), try WayBack.path(fields, or: "/"))
    let undone = try await calls.change(by: visitor) { sight in
      try sight.requireUndo(by: visitor)
      // A form that comes in twice would otherwise undo its own undo.
      if let change, try sight.reading.undoMark() != change {
        throw Problem(.conflict, "something else was changed since", hint: "nothing was undone")
      }
    } _: { belfry in
      try belfry.undo()
    }
    let isGone = Self.paths(removedBy: undone).contains { back == $0 || back.hasPrefix("\($0)?") }
    return .leading(to: Notice.path(isGone ? "/" : back, after: .undone))
  }

  // The pages of what there is no more.
  private static func paths(removedBy undone: UndoneChange) -> [String] {
    undone.items.filter { $0.fate == .removed }.map { "/items/\($0.change.listing.item.id)" }
      + undone.lists.filter { $0.fate == .removed }.map { "/lists/\($0.list.id)" }
  }
}

extension Sight {
  /// - Throws: ``Problem`` 409 where somebody else made the last change. Who sees some lists alone is not told that there
  ///   was one.
  func requireUndo(by visitor: Access) throws {
    guard try !reading.mayUndo(visitor.author) else { return }
    guard grant.isForAllLists else { throw BelfryError.nothingToUndo }
    throw Problem(
      .conflict, "the last change was not yours, so that it is not undone",
      hint: "'belfry undo' undoes the last change, whoever made it")
  }
}
