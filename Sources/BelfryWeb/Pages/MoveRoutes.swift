import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// Moving items within their list, to another list, and to another day.
struct MoveRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .post, path: "/items/:id/move", right: .scope(.edit)) { try await move($0, $1) },
      WebRoute(method: .get, path: "/items/:id/list", right: .scope(.edit)) { try await choose($0, $1) },
      WebRoute(method: .post, path: "/items/:id/list", right: .scope(.edit)) { try await take($0, $1) },
      WebRoute(method: .post, path: "/items/:id/postpone", right: .scope(.edit)) { try await postpone($0, $1) },
    ]
  }

  private func move(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let sent = try await FormFields(request)
    let place = try ItemPlace(sent)
    let change = try await calls.markedChange(by: visitor) { sight in
      _ = try sight.item(id)
      if let neighbour = place.neighbour { _ = try sight.item(neighbour) }
    } _: { belfry in
      try belfry.move(id, to: place)
    }
    let back = try WayBack.path(sent, or: "/lists/\(change.value.listing.item.listID)")
    return .leading(to: Notice.path(back + "#i\(id)", after: .moved, item: id, change: change.mark))
  }

  // MARK: To another list

  private func choose(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    var (listing, shell) = try await calls.page(request, visitor) { try $0.item(id) }
    shell.back = .list(of: listing)
    let others = shell.lists.filter { $0.id != listing.item.listID }
    return shell.response("To another list", to: request) { body in
      body.paragraph(listing.item.text, ["class": "lead", "dir": "auto"])
      guard !others.isEmpty else { return body.paragraph("There is no other list.", ["class": "empty"]) }
      body.element("form", ["class": "choices", "method": "post", "action": "/items/\(id)/list", "data-whole": ""]) {
        body in
        for list in others {
          body.element("button", list.name, ["name": "list", "value": "\(list.id)", "dir": "auto"])
        }
      }
    }
  }

  private func take(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    guard let list = try await FormFields(request).number("list") else {
      throw Problem(.badRequest, "the form names no list")
    }
    let old = try await calls.read(for: visitor) { try $0.item(id).item.listID }
    let change = try await calls.markedChange(by: visitor) { sight in
      _ = (try sight.item(id), try sight.list(list))
    } _: { belfry in
      var edit = ItemEdit()
      edit.list = .id(list)
      _ = try belfry.edit(id, edit)
    }
    return .leading(to: Notice.path("/lists/\(old)", after: .moved, item: id, change: change.mark))
  }

  // MARK: To another day

  private func postpone(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let sent = try await FormFields(request)
    guard let date = try sent.text("to").flatMap(QuickDate.init(rawValue:)) else {
      throw Problem(.badRequest, "the form names no day")
    }
    let (edit, deed) = try await calls.read(for: visitor) { [settings = calls.belfry.settings] sight in
      let item = try sight.item(id).item
      let edit = date.edit(of: item, sight.reading, settings)
      return (edit, item.due == nil ? .dated : date.deed(of: [item], sight.reading, settings))
    }
    let change = try await calls.markedChange(by: visitor) { sight in
      _ = try sight.item(id)
    } _: { belfry in
      _ = try belfry.edit(id, edit)
    }
    let back = try WayBack.path(sent, or: "/items/\(id)")
    return .leading(to: Notice.path(back, after: deed, item: id, change: change.mark))
  }
}

extension ItemPlace {
  /// The place that a form names.
  ///
  /// - Throws: ``Problem`` 400 for none.
  init(_ fields: FormFields) throws(Problem) {
    if let id = try fields.number("before") {
      self = .before(id)
    } else if let id = try fields.number("after") {
      self = .after(id)
    } else {
      guard fields.contains("end") else { throw Problem(.badRequest, "the form names no place") }
      self = .end
    }
  }
}
