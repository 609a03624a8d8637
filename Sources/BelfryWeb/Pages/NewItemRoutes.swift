import BelfryEngine
import BelfryModel
import CivilTime
import HTTPTypes
import Hummingbird
import ItemEntry
import NaturalDates
import WebAccess

/// New items, from a line or a form, on a given list or on the default list.
struct NewItemRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/new", right: .scope(.edit)) { try await new(nil, $0, $1) },
      WebRoute(method: .post, path: "/items", right: .scope(.edit)) { try await add(to: nil, $0, $1) },
      WebRoute(method: .get, path: "/lists/:id/new", right: .scope(.edit)) {
        try await new(try $1.number("list"), $0, $1)
      },
      WebRoute(method: .post, path: "/lists/:id/items", right: .scope(.edit)) {
        try await add(to: try $1.number("list"), $0, $1)
      },
    ]
  }

  /// The list of an item that names no list.
  private struct Target: Sendable {
    let name: String
    /// Its number; `nil` for a list that is created with its first item.
    let id: Int64?

    var place: Shell.Place { id.map { Shell.Place(name: name, path: "/lists/\($0)") } ?? Self.today }
    var action: String { id.map { "/lists/\($0)/items" } ?? "/items" }

    private static let today = Shell.Place(name: "Today", path: "/")
  }

  // The page with all fields, filled in from a line.
  private func new(_ list: Int64?, _ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let query = FormFields(query: request)
    let line = try query.text("line") ?? ""
    let (page, shell) = try await calls.page(request, visitor) { [belfry = calls.belfry] sight in
      var page = try Self.page(Self.target(list, sight, belfry), query, sight, belfry)
      let reader = EntryReader(sight.reading, of: belfry)
      if let understood = try? reader.line(line, of: sight) {
        page.form.fields.set(understood)
        if understood.isToBeShown { page.form.echo = try reader.echo(understood) }
      }
      return page
    }
    return response(page, shell, to: request)
  }

  private static func target(_ id: Int64?, _ sight: Sight, _ belfry: Belfry) throws -> Target {
    if let id { return Target(name: try sight.list(id).name, id: id) }
    let (name, lists) = (belfry.settings.defaultList, try sight.lists())
    let known = lists.first { Checklist.nameKey($0.name) == Checklist.nameKey(name) }
    if known == nil, sight.grant.isForAllLists { return Target(name: name, id: nil) }
    guard let list = known ?? lists.first else {
      throw Problem(.conflict, "there is no list to which you may add", hint: "ask for access to one")
    }
    return Target(name: list.name, id: list.id)
  }

  private static func page(
    _ target: Target, _ sent: FormFields, _ sight: Sight, _ belfry: Belfry
  ) throws -> NewItemPage {
    let lists = try sight.lists().map(\.name)
    return NewItemPage(
      action: target.action, back: target.place, next: try WayBack.path(sent, or: target.place.path),
      form: ItemForm(
        fields: ItemFields(.blank(on: target.name)), lists: target.id == nil ? lists + [target.name] : lists,
        categories: belfry.settings.categories.map(\.identifier), isNew: true))
  }

  private func response(
    _ page: NewItemPage, _ shell: Shell, to request: Request, status: HTTPResponse.Status = .ok
  ) -> Response {
    var shell = shell
    shell.back = page.back
    return shell.response("New item", to: request, status: status) { page.add(to: &$0) }
  }

  private func add(to list: Int64?, _ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let sent = try await FormFields(request, upTo: FormFields.mostText)
    if let line = try sent.text("line") { return try await add(line: line, sent, to: list, request, visitor) }
    let (typed, isQuestion) = (try ItemFields(sent), sent.contains("show"))
    var ((page, edit), shell) = try await calls.page(request, visitor) { [belfry = calls.belfry] sight in
      var page = try Self.page(Self.target(list, sight, belfry), sent, sight, belfry)
      let empty = page.form.fields
      page.form.fields = typed
      let edit = try page.form.edit(from: empty, of: nil, sight, belfry, asks: isQuestion)
      return (page, edit)
    }
    guard page.form.errors.isEmpty, let edit else {
      return response(page, shell, to: request, status: .unprocessableContent)
    }
    if isQuestion { return response(page, shell, to: request) }
    do {
      return try await keep(ItemDraft(text: typed[.text], edit), on: edit.list, or: list, sent, visitor)
    } catch let error as BelfryError where error.isForWhoTyped {
      page.form.errors[error.field ?? .text] = error.forWhoTyped
      return response(page, shell, to: request, status: .unprocessableContent)
    }
  }

  // A line of plain text is added at once; without a script, the understood fields of any other line are shown first.
  private func add(
    line: String, _ sent: FormFields, to list: Int64?, _ request: Request, _ visitor: Access
  ) async throws -> Response {
    do {
      let typed = try FormFields(query: request).text("now")
      let (understood, edit) = try await calls.read(for: visitor) { [belfry = calls.belfry] sight in
        _ = try Self.target(list, sight, belfry)
        let sight = try sight.at(typed, belfry)
        let reader = EntryReader(sight.reading, of: belfry)
        let understood = try reader.line(line, of: sight)
        return (understood, try reader.edit(understood))
      }
      // With a script, the notice shows them afterwards, with an undo.
      guard !understood.isToBeShown || sent.contains("seen") else {
        let place = list.map { "/lists/\($0)" }
        let back = FormFields.encoded(try WayBack.path(sent, or: place ?? "/"))
        return .leading(to: "\(place ?? "")/new?line=\(FormFields.encoded(line))&back=\(back)")
      }
      return try await keep(
        ItemDraft(text: understood.text, edit), on: edit.list, or: list, sent, visitor,
        as: understood.remarks.isEmpty ? .added : .addedAsText)
    } catch let error as BelfryError where error.isForWhoTyped {
      return try await refuse((line, error.forWhoTyped), list, request, visitor)
    }
  }

  private func refuse(
    _ typed: (line: String, error: String?), _ list: Int64?, _ request: Request, _ visitor: Access
  ) async throws -> Response {
    guard let list else {
      var (page, shell) = try await calls.page(request, visitor) { [setup] in try TodayPage($0, visitor, setup) }
      page.typed = typed
      return shell.response("Today", to: request, status: .unprocessableContent) { page.add(to: &$0) }
    }
    var (page, shell) = try await calls.page(request, visitor) { try ListPage(list, ListPage.View(), $0, visitor) }
    page.typed = typed
    shell.back = .lists
    return shell.response(page.summary.list.name, to: request, status: .unprocessableContent) { page.add(to: &$0) }
  }

  private func keep(
    _ draft: ItemDraft, on choice: ListChoice?, or id: Int64?, _ sent: FormFields, _ visitor: Access,
    as deed: Notice.Deed = .added
  ) async throws -> Response {
    let target = try await calls.read(for: visitor) { [belfry = calls.belfry] sight in
      try Self.target(id, sight, belfry)
    }
    let choice = choice ?? target.id.map { .id($0) } ?? ListChoice(target.name, createsMissing: true)
    let changes = try await calls.markedChange(by: visitor) { sight in
      try sight.check(choice)
    } _: { belfry in
      try belfry.add([draft], to: choice)
    }
    let item = changes.value.first?.listing.item
    let back = try WayBack.path(sent, or: (item?.listID ?? id).map { "/lists/\($0)" } ?? "/")
    return .leading(to: Notice.path(back, after: deed, item: item?.id, change: changes.mark))
  }
}

extension EntryReader {
  /// The text and the marks of a line, which can name the lists that the visitor sees.
  ///
  /// - Throws: as ``line(_:lists:)``.
  func line(_ text: String, of sight: Sight) throws -> EntryLine {
    try line(text) { try sight.lists().map(\.name) }
  }
}

extension EntryLine {
  /// True if the line has marks, or something that looks like one and is not.
  fileprivate var isToBeShown: Bool { !marks.isEmpty || !remarks.isEmpty }
}

extension ItemFields {
  /// Sets the fields that a line names, the time in the pickers and the repeat in words.
  fileprivate mutating func set(_ line: EntryLine) {
    for (field, words) in line.entry.values where field != .due { self[field] = words.inForm }
    if let time = line.time { set(time) }
    if let rule = line.rule { self[.repeat] = rule.words }
  }
}
