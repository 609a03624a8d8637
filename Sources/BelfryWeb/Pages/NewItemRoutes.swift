import BelfryEngine
import BelfryModel
import CivilTime
import HTTPTypes
import Hummingbird
import ItemEntry
import NaturalDates
import WebAccess

/// New items, from one line or from a form.
struct NewItemRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/lists/:id/new", right: .scope(.edit)) { try await new($0, $1) },
      WebRoute(method: .post, path: "/lists/:id/items", right: .scope(.edit)) { try await add($0, $1) },
    ]
  }

  // The page with all fields, those of a line filled in.
  private func new(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    let line = try FormFields(query: request).text("line") ?? ""
    let page = try await calls.read(for: visitor) { [belfry = calls.belfry] sight in
      var page = try Self.page(id, sight, belfry)
      let reader = EntryReader(sight.reading, of: belfry)
      if let understood = try? reader.line(line, of: sight) {
        page.form.fields.set(understood)
        if understood.isToBeShown { page.form.echo = try reader.echo(understood) }
      }
      return page
    }
    return response(page, to: request, visitor)
  }

  private static func page(_ id: Int64, _ sight: Sight, _ belfry: Belfry) throws -> NewItemPage {
    let list = try sight.list(id)
    return NewItemPage(
      list: list,
      form: ItemForm(
        fields: ItemFields(.blank(on: list.name)), lists: try sight.lists().map(\.name),
        categories: belfry.settings.categories.map(\.identifier), isNew: true))
  }

  private func response(
    _ page: NewItemPage, to request: Request, _ visitor: Access, status: HTTPResponse.Status = .ok
  ) -> Response {
    Shell(visitor: visitor).response("New item", to: request, status: status) { page.add(to: &$0) }
  }

  private func add(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    let sent = try await FormFields(request, upTo: FormFields.mostText)
    if let line = try sent.text("line") { return try await add(line: line, sent, to: id, request, visitor) }
    let (typed, isQuestion) = (try ItemFields(sent), sent.contains("show"))
    let (page, edit) = try await calls.read(for: visitor) { [belfry = calls.belfry] sight in
      var page = try Self.page(id, sight, belfry)
      let empty = page.form.fields
      page.form.fields = typed
      let edit = try page.form.edit(from: empty, of: nil, sight, belfry, asks: isQuestion)
      return (page, edit)
    }
    guard page.form.errors.isEmpty, let edit else {
      return response(page, to: request, visitor, status: .unprocessableContent)
    }
    if isQuestion { return response(page, to: request, visitor) }
    do {
      return try await keep(ItemDraft(text: typed[.text], edit), on: edit.list?.name, or: id, visitor)
    } catch let error as BelfryError where error.isForWhoTyped {
      var page = page
      page.form.errors[error.field ?? .text] = error.forWhoTyped
      return response(page, to: request, visitor, status: .unprocessableContent)
    }
  }

  // A line that is all text is kept at once; what was understood of another is shown first.
  private func add(
    line: String, _ sent: FormFields, to id: Int64, _ request: Request, _ visitor: Access
  ) async throws -> Response {
    do {
      let (understood, edit) = try await calls.read(for: visitor) { [belfry = calls.belfry] sight in
        _ = try sight.list(id)
        let reader = EntryReader(sight.reading, of: belfry)
        let understood = try reader.line(line, of: sight)
        return (understood, try reader.edit(understood))
      }
      // A script has shown it before.
      guard !understood.isToBeShown || sent.contains("seen") else {
        return .leading(to: "/lists/\(id)/new?line=\(FormFields.encoded(line))")
      }
      return try await keep(ItemDraft(text: understood.text, edit), on: edit.list?.name, or: id, visitor)
    } catch let error as BelfryError where error.isForWhoTyped {
      var page = try await calls.read(for: visitor) { try ListPage(id, ListPage.View(), $0, visitor) }
      page.typed = (line, error.forWhoTyped)
      return Shell(visitor: visitor).response(
        page.summary.list.name, to: request, status: .unprocessableContent
      ) { page.add(to: &$0) }
    }
  }

  // The engine knows lists by name: the visitor has to see it within the change.
  private func keep(
    _ draft: ItemDraft, on name: String?, or id: Int64, _ visitor: Access
  ) async throws -> Response {
    let name = try await calls.read(for: visitor) { sight in try name ?? sight.list(id).name }
    let changes = try await calls.change(by: visitor) { sight in
      guard try sight.lists().contains(where: { $0.name == name }) else {
        throw Problem(.conflict, "the list was renamed or deleted at this moment", hint: "nothing was changed")
      }
    } _: { belfry in
      try belfry.add([draft], to: ListChoice(name))
    }
    let item = changes.first?.listing.item
    return .leading(
      to: Notice.path("/lists/\(item?.listID ?? id)", after: .added, item: item?.id))
  }
}

extension EntryReader {
  /// The text and the marks of a line, which can name the lists that its writer sees.
  ///
  /// - Throws: as ``line(_:lists:)``.
  func line(_ text: String, of sight: Sight) throws -> EntryLine {
    try line(text) { try sight.lists().map(\.name) }
  }
}

extension EntryLine {
  /// True if more was understood of it than a text, or less than it looks like.
  fileprivate var isToBeShown: Bool { !marks.isEmpty || !remarks.isEmpty }
}

extension ItemFields {
  /// Sets what a line says.
  fileprivate mutating func set(_ line: EntryLine) {
    self[.text] = line.text
    if let list = line.list { self[.list] = list }
    self[.tags] = line.tags.names.joined(separator: ", ")
    if let priority = line.priority { self[.priority] = priority.rawValue }
    if let time = line.time { set(time) }
    if let rule = line.rule { self[.repeat] = rule.words }
  }
}
