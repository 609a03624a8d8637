import BelfryEngine
import BelfryModel
import CivilTime
import HTTPTypes
import Hummingbird
import ItemEntry
import MessageText
import WebAccess

/// The page of one item, and its form.
struct ItemRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/items/:id", right: .scope(.read)) { try await show($0, $1) },
      WebRoute(method: .post, path: "/items/:id", right: .scope(.edit)) { try await edit($0, $1) },
      WebRoute(method: .post, path: "/items/:id/snooze", right: .scope(.answer)) { try await snooze($0, $1) },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let (page, shell) = try await calls.page(request, visitor) { try self.page(id, $0, visitor) }
    return response(page, shell, to: request)
  }

  private func response(
    _ page: ItemPage, _ shell: Shell, to request: Request, status: HTTPResponse.Status = .ok
  ) -> Response {
    var shell = shell
    shell.back = .list(of: page.listing)
    let title = page.listing.item.text.bounded(toBytes: 120)
    return shell.response(title, to: request, status: status, hasHeading: true) { page.add(to: &$0) }
  }

  // The page, with the form as it was sent.
  private func page(
    _ id: Int64, _ sight: Sight, _ visitor: Access, sent: FormFields? = nil, typedAt time: String? = nil
  ) throws -> ItemPage {
    let listing = try sight.item(id)
    let settings = calls.belfry.settings
    var owners = try OwnersInSight(sight)
    var page = ItemPage(
      listing: listing,
      explanation: try owners.keep(try sight.reading.explain(id, settings: settings, sinks: setup.sinks)),
      time: PageTime(sight.reading), scope: visitor.grant.scope,
      form: ItemForm(
        fields: ItemFields(listing), lists: try sight.lists().map(\.name),
        categories: settings.categories.map(\.identifier)))
    if let sent {
      var typed = try ItemFields(sent)
      // The pickers hold the date that 'tomorrow' meant when it was typed, so that it is not read again later.
      if time != nil { typed.readDue(EntryReader(try sight.at(time, calls.belfry).reading, of: calls.belfry), listing) }
      page.form.conflict = try ItemConflict(sent, typed: &typed, present: page.form.fields)
      page.form.fields = typed
    }
    return page
  }

  // MARK: Editing

  private func edit(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    return try await edit(id, try await FormFields(request, upTo: FormFields.mostText), request, visitor)
  }

  private func edit(_ id: Int64, _ sent: FormFields, _ request: Request, _ visitor: Access) async throws -> Response {
    let (isQuestion, typedAt) = (sent.contains("show"), try FormFields(query: request).text("now"))
    var ((page, edit), shell) = try await calls.page(request, visitor) {
      [belfry = calls.belfry] sight -> (ItemPage, ItemEdit?) in
      var page = try self.page(id, sight, visitor, sent: sent, typedAt: typedAt)
      guard !page.hasConflict else { return (page, nil) }
      let listing = page.listing
      let sight = try sight.at(typedAt, belfry)
      let edit = try page.form.edit(from: ItemFields(listing), of: listing, sight, belfry, asks: isQuestion)
      return (page, edit)
    }
    guard !page.hasConflict else { return response(page, shell, to: request, status: .conflict) }
    guard page.form.errors.isEmpty, let edit else {
      return response(page, shell, to: request, status: .unprocessableContent)
    }
    if isQuestion { return response(page, shell, to: request) }
    let path = "/items/\(id)"
    guard edit != ItemEdit() else { return .leading(to: path) }
    do {
      let change = try await calls.markedChange(by: visitor) { [version = page.version] sight in
        guard try ItemFields(sight.item(id)).version == version else { throw ItemChanged() }
        if let choice = edit.list { try sight.check(choice) }
      } _: { belfry in
        try belfry.edit(id, edit)
      }
      return .leading(to: Notice.path(path, after: .saved, item: id, change: change.mark))
    } catch is ItemChanged {
      return try await self.edit(id, sent, request, visitor)
    } catch let error as BelfryError where error.isForWhoTyped {
      page.form.errors[error.field ?? .text] = error.forWhoTyped
      return response(page, shell, to: request, status: .unprocessableContent)
    }
  }

  // MARK: Snoozing

  private func snooze(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("item"))
    let sent = try await FormFields(request)
    let (duration, until) = (try sent.text("for"), try sent.text("until") ?? "")
    do {
      // There is nothing to put off before it has rung.
      let end: SnoozeEnd? = try await calls.read(for: visitor) { [belfry = calls.belfry] sight in
        let (reader, item) = (EntryReader(sight.reading, of: belfry), try sight.item(id).item)
        guard try sight.reading.hasRung(item) else { return nil }
        if let duration { return .after(try reader.duration(duration, called: "for")) }
        return .at(try reader.wallTime(until, in: item.zone, called: "until"))
      }
      let back = try WayBack.path(sent, or: "/items/\(id)")
      guard let end else { return .leading(to: Notice.path(back, after: .notRung, item: id)) }
      let change = try await calls.markedChange(by: visitor) { sight in
        _ = try sight.item(id)
      } _: { belfry in
        _ = try belfry.snooze(id, until: end)
      }
      return .leading(to: Notice.path(back, after: .snoozed, item: id, change: change.mark))
    } catch let error as BelfryError where error.isForWhoTyped {
      var (page, shell) = try await calls.page(request, visitor) { try self.page(id, $0, visitor) }
      page.snooze = (until, error.forWhoTyped)
      return response(page, shell, to: request, status: .unprocessableContent)
    }
  }
}

extension ItemFields {
  /// Puts the time that the words of the due date mean into the pickers.
  fileprivate mutating func readDue(_ reader: EntryReader, _ listing: ItemListing) {
    guard let time = try? reader.wallTime(self[.due], in: listing.item.zone) else { return }
    self[.due] = ""
    set(time)
  }
}

/// The error of an edit of an item, or of a list, that was changed since its form was shown.
struct ItemChanged: Error {}

extension ItemForm {
  /// The edit that the fields ask for; `nil` if a field has an error, which is then in ``errors``.
  ///
  /// - Parameters:
  ///   - shown: the fields as they were shown.
  ///   - listing: the item; `nil` for a new one.
  ///   - asks: true to set ``echo`` as well.
  /// - Throws: what the store throws.
  mutating func edit(
    from shown: ItemFields, of listing: ItemListing?, _ sight: Sight, _ belfry: Belfry, asks: Bool
  ) throws -> ItemEdit? {
    let reader = EntryReader(sight.reading, of: belfry)
    var entry = (conflict?.merged(fields) ?? fields).entry(from: shown)
    errors = [:]
    // The reader knows lists that the visitor may not see, and would name them.
    if entry.values[.list] != nil, !lists.contains(fields[.list]) {
      errors[.list] = "There is no such list."
      entry.values[.list] = nil
    }
    do {
      let edit = try reader.edit(entry, of: listing)
      if asks { echo = try reader.echo(entry, of: listing) }
      for (field, error) in echo?.faults ?? [] { errors[field] = error.forWhoTyped }
      return errors.isEmpty ? edit : nil
    } catch let error as ItemEntryFaults {
      for (field, error) in error.faults { errors[field] = error.forWhoTyped }
      return nil
    }
  }
}
