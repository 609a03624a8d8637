import BelfryEngine
import BelfryModel
import CivilTime
import HTTPTypes
import Hummingbird
import ItemEntry
import WebAccess

/// The pages of one list, and its changes.
struct ListRoutes: RouteGroup {
  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/lists/:id", right: .scope(.read), followsFromStore: true) {
        try await show($0, $1)
      },
      route(.get, "settings") { try await settings($0, $1) },
      // The error for a name that is taken reveals a list that the visitor might not be allowed to see.
      WebRoute(method: .post, path: "/lists/:id/edit", right: .allLists(.edit)) { try await edit($0, $1) },
      WebRoute(method: .post, path: "/lists/:id/move", right: .allLists(.edit)) { try await move($0, $1) },
      route(.post, "reminder") { try await remind($0, $1) },
      route(.get, "clear") { try await confirm($0, $1, isClearing: true) },
      route(.post, "clear") { try await remove($0, $1, isClearing: true) },
      route(.get, "delete") { try await confirm($0, $1, isClearing: false) },
      route(.post, "delete") { try await remove($0, $1, isClearing: false) },
    ]
  }

  private func route(_ method: HTTPRequest.Method, _ name: String, _ reply: @escaping WebRoute.Reply) -> WebRoute {
    WebRoute(method: method, path: "/lists/:id/\(name)", right: .scope(.edit), reply: reply)
  }

  // MARK: The list

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    var view = try ListPage.View(FormFields(query: request))
    view.isChoosing = view.isChoosing && visitor.may(.edit)
    var (page, shell) = try await calls.wholePage(request, visitor) { [view] in try ListPage(id, view, $0, visitor) }
    shell.back = .lists
    return shell.response(page.summary.list.name, to: request) { page.add(to: &$0) }
  }

  // MARK: Settings

  private func settings(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    let (page, shell) = try await calls.page(request, visitor) { [settings = calls.belfry.settings] sight in
      try Self.settingsPage(id, sight, settings, visitor)
    }
    return response(page, shell, to: request, status: .ok)
  }

  private static func settingsPage(
    _ id: Int64, _ sight: Sight, _ settings: Settings, _ visitor: Access
  ) throws -> ListSettingsPage {
    let summary = try sight.summary(id)
    return ListSettingsPage(
      summary, try sight.reading.bell(of: summary.list), PageTime(sight.reading),
      categories: settings.categories.map(\.identifier),
      mayRename: visitor.grant.isForAllLists)
  }

  private func response(
    _ page: ListSettingsPage, _ shell: Shell, to request: Request, status: HTTPResponse.Status
  ) -> Response {
    var shell = shell
    shell.back = .list(page.summary.list)
    return shell.response("Settings of the list", to: request, status: status) { page.add(to: &$0) }
  }

  private func edit(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    let sent = try await FormFields(request, upTo: FormFields.mostText)
    return try await edit(id, sent, request, visitor)
  }

  private func edit(_ id: Int64, _ sent: FormFields, _ request: Request, _ visitor: Access) async throws -> Response {
    var (page, shell) = try await calls.page(request, visitor) { [settings = calls.belfry.settings] sight in
      var page = try Self.settingsPage(id, sight, settings, visitor)
      page.look.take(try ListLookFields(sent), from: try sent.text("version"))
      return page
    }
    let hasConflict = !page.look.errors.isEmpty
    if let edit = page.look.edit() {
      do {
        let change = try await change(id, by: visitor) { [version = page.versions.look] list in
          ListLookFields(list).version == version
        } _: {
          _ = try $0.editList(id, edit)
        }
        return .leading(to: Notice.path("/lists/\(id)", after: .saved, change: change))
      } catch is ItemChanged {
        return try await self.edit(id, sent, request, visitor)
      } catch let error as BelfryError where error.isForWhoTyped {
        page.look.errors["name"] = error.forWhoTyped
      }
    }
    return response(page, shell, to: request, status: hasConflict ? .conflict : .unprocessableContent)
  }

  private func move(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    var edit = ListEdit()
    edit.place = try ItemPlace(try await FormFields(request))
    let change = try await change(id, by: visitor) { [edit] in _ = try $0.editList(id, edit) }
    return .leading(to: Notice.path("/lists#l\(id)", after: .moved, change: change))
  }

  private func remind(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    let fields = try await FormFields(request, upTo: FormFields.mostText)
    guard !fields.contains("remove") else {
      let change = try await change(id, by: visitor) { _ = try $0.remindList(id, nil) }
      return .leading(to: Notice.path("/lists/\(id)", after: .reminderRemoved, change: change))
    }
    return try await remind(id, fields, request, visitor)
  }

  private func remind(_ id: Int64, _ sent: FormFields, _ request: Request, _ visitor: Access) async throws -> Response {
    var ((page, draft, hasConflict), shell) = try await calls.page(request, visitor) {
      [belfry = calls.belfry] sight -> (ListSettingsPage, ListReminderDraft?, Bool) in
      var page = try Self.settingsPage(id, sight, belfry.settings, visitor)
      page.reminder.take(try ListReminderFields(sent), from: try sent.text("version"))
      let hasConflict = !page.reminder.errors.isEmpty
      let draft = try page.reminder.draft(EntryReader(sight.reading, of: belfry))
      return (page, draft, hasConflict)
    }
    if let draft {
      do {
        let change = try await change(id, by: visitor) { [version = page.versions.reminder] list in
          ListReminderFields(list.reminder).version == version
        } _: {
          _ = try $0.remindList(id, draft)
        }
        return .leading(to: Notice.path("/lists/\(id)", after: .reminderSet, change: change))
      } catch is ItemChanged {
        return try await remind(id, sent, request, visitor)
      } catch let error as BelfryError where error.isForWhoTyped {
        page.reminder.errors[(error.field ?? .due).rawValue] = error.forWhoTyped
      }
    }
    return response(page, shell, to: request, status: hasConflict ? .conflict : .unprocessableContent)
  }

  // MARK: Deleting

  private func confirm(_ request: Request, _ context: WebContext, isClearing: Bool) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    var (summary, shell) = try await calls.page(request, visitor) { try $0.summary(id) }
    let count = summary.items == 1 ? "its one item" : "its \(summary.items) items"
    let open = summary.remaining == 0 ? "none of them is open" : "\(summary.remaining) of them open"
    let page = ConfirmationPage(
      question: isClearing ? "Delete all items of \(summary.list.name)?" : "Delete the list \(summary.list.name)?",
      consequence: summary.items == 0
        ? "It has no items." : "This deletes \(count), \(open), and their reminders. It can be undone for a day.",
      action: "/lists/\(id)/\(isClearing ? "clear" : "delete")",
      button: isClearing ? "Delete all items" : "Delete the list", back: "/lists/\(id)")
    shell.back = .list(summary.list)
    return shell.response(page.question, to: request, hasHeading: true) { page.add(to: &$0) }
  }

  private func remove(_ request: Request, _ context: WebContext, isClearing: Bool) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("list"))
    let change = try await change(id, by: visitor) { _ = try isClearing ? $0.clearList(id) : $0.deleteList(id) }
    return .leading(
      to: isClearing
        ? Notice.path("/lists/\(id)", after: .cleared, change: change)
        : Notice.path("/lists", after: .listDeleted, change: change))
  }

  // Returns the mark of the change, by which its notice undoes it.
  private func change(
    _ id: Int64, by visitor: Access, where isAsShown: @escaping @Sendable (Checklist) -> Bool = { _ in true },
    _ body: @escaping @Sendable (Belfry) throws -> Void
  ) async throws -> String? {
    try await calls.markedChange(by: visitor) { sight in
      guard isAsShown(try sight.list(id)) else { throw ItemChanged() }
    } _: { belfry in
      try body(belfry)
    }.mark
  }
}

extension ListPage.View {
  /// The view that a query names.
  init(_ fields: FormFields) throws(Problem) {
    isChecked = try fields.text("show") == "checked"
    isByDate = try fields.text("order") == "due" && !isChecked
    isChoosing = fields.contains("choose") && !isChecked
    page = Int(min(max(try fields.number("page") ?? 1, 1), 1_000_000))
  }
}

extension ListPage {
  /// One page of a list.
  ///
  /// - Throws: ``Problem`` 404.
  init(_ id: Int64, _ view: View, _ sight: Sight, _ visitor: Access) throws {
    let before = (view.page - 1) * View.length
    let query = ItemQuery(
      listID: id, checked: view.isChecked ? .checked : .unchecked, order: view.isByDate ? .due : .place,
      limit: before + View.length + 1)
    let summary = try sight.summary(id)
    var items: [ItemListing] = []
    var passed = 0
    try sight.reading.view.forEachItem(query) { listing in
      try Task.checkCancellation()
      if passed >= before { items.append(listing) }
      passed += 1
    }
    self.init(
      summary: summary, bell: try sight.reading.bell(of: summary.list), items: Array(items.prefix(View.length)),
      hasMore: items.count > View.length, view: view,
      time: PageTime(sight.reading), scope: visitor.grant.scope,
      others: view.isChoosing ? try sight.lists().filter { $0.id != id } : [])
  }
}

extension WebContext {
  /// The number in the path.
  ///
  /// - Parameter thing: the noun of the thing with this number.
  /// - Throws: ``Problem`` 404 for another text.
  func number(_ thing: String) throws -> Int64 {
    let text = try parameters.require("id")
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text) else {
      throw Problem(.notFound, "there is no \(thing) \(text.prefix(20))")
    }
    return number
  }
}
