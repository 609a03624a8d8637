import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// Moving items within their list.
struct MoveRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [WebRoute(method: .post, path: "/items/:id/move", right: .scope(.edit)) { try await move($0, $1) }]
  }

  private func move(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let sent = try await FormFields(request)
    let place = try Self.place(sent)
    let change = try await calls.change(by: visitor) { sight in
      _ = try sight.item(id)
      if let neighbour = place.neighbour { _ = try sight.item(neighbour) }
    } _: { belfry in
      try belfry.move(id, to: place)
    }
    let back = try WayBack.path(sent, or: "/lists/\(change.listing.item.listID)")
    return .leading(to: Notice.path(back + "#i\(id)", after: .moved, item: id))
  }

  private static func place(_ fields: FormFields) throws(Problem) -> ItemPlace {
    if let item = try fields.number("before") { return .before(item) }
    if let item = try fields.number("after") { return .after(item) }
    guard fields.contains("end") else { throw Problem(.badRequest, "the form names no place") }
    return .end
  }
}

extension ItemPlace {
  /// The item beside it; `nil` for the end of a list.
  fileprivate var neighbour: Int64? {
    switch self {
    case .before(let item), .after(let item): item
    case .end: nil
    }
  }
}
