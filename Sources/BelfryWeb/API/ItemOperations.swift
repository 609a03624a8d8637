import BelfryEngine
import BelfryModel
import FoundationEssentials
import HTTPTypes
import ItemEntry
import OrderedJSON

/// The operations on whole items.
struct ItemOperations: APIGroup {
  private static let item = JSONSchema.named("Item")

  private static let addedLine = JSONSchema.named("AddedLine")

  var operations: [APIOperation] {
    [
      APIOperation(
        "getItems", "Items, soonest first", .get, "/items", .scope(.read), query: [Self.list] + Self.filters,
        isSteady: true, replies: .page(of: Self.item)
      ) { request in
        try await items(request, by: .due) { sight in try request.query["list"].map { try sight.list(named: $0).id } }
      },
      APIOperation(
        "getListItems", "The items of a list, in its order", .get, "/lists/{id}/items", .scope(.read),
        query: Self.filters, isSteady: true, replies: .page(of: Self.item)
      ) { request in
        let id = try request.number()
        return try await items(request, by: .place) { try $0.list(id).id }
      },
      APIOperation(
        "addItem", "Adds an item", .post, "/items", .scope(.edit), body: .object(.named("NewItem")), status: .created,
        replies: .json(Self.item)
      ) { request in try await add(request, try request.itemEntry(), to: nil) },
      APIOperation(
        "addListItem", "Adds an item to a list", .post, "/lists/{id}/items", .scope(.edit),
        body: .object(.named("NewItem")), status: .created, replies: .json(Self.item)
      ) { request in try await add(request, try request.itemEntry(), to: try request.number()) },
      APIOperation(
        "addLine", "Adds an item from a line such as 'Buy milk #Home tomorrow 9am'", .post, "/inbox", .scope(.edit),
        query: [APIOperation.now], body: .objectOrText(.named("InboxLine"), member: "line"), status: .created,
        replies: .json(Self.addedLine)
      ) { try await addLine($0) },
      APIOperation("getItem", "An item", .get, "/items/{id}", .scope(.read), isSteady: true, replies: .json(Self.item))
      {
        request in
        let id = try request.number()
        return APIReply(try await request.read { $0.reading.json(try $0.item(id)) })
      },
      APIOperation(
        "changeItem", "Changes an item: null clears a field, an absent one stays", .patch, "/items/{id}", .scope(.edit),
        body: .patch(.named("ItemChange")), isConditional: true, replies: .json(Self.item)
      ) { try await change($0) },
      APIOperation(
        "deleteItem", "Deletes an item", .delete, "/items/{id}", .scope(.edit), isConditional: true,
        replies: .json(Self.item)
      ) { try await delete($0) },
    ]
  }

  // MARK: Reading

  private static let list = APIOperation.Parameter(name: "list", words: "the name of a list", schema: .words)

  private static let filters = [
    APIOperation.Parameter(name: "all", words: "false for the unchecked alone", schema: .flag),
    APIOperation.Parameter(name: "checked", words: "true for the checked alone, false for the others", schema: .flag),
    APIOperation.Parameter(name: "overdue", words: "true for the overdue alone", schema: .flag),
    APIOperation.Parameter(name: "due_before", words: "a time before which they are due", schema: .words),
    APIOperation.Parameter(name: "tag", words: "tags that they have, with commas between", schema: .words),
    APIOperation.Parameter(
      name: "priority", words: "the level of their priority",
      schema: .one(of: ItemPriority.Level.allCases.map(\.rawValue))),
  ]

  private func items(
    _ request: APIRequest, by order: ItemQuery.Order, on list: @escaping @Sendable (Sight) throws -> Int64?
  ) async throws -> APIReply {
    let wanted = try await request.page()
    return APIReply(
      try await request.read { sight in
        var query = try Self.query(request, sight.reading)
        query.listID = try list(sight)
        query.order = order
        var owners = try OwnersInSight(sight)
        return try Page(wanted) { add in
          try sight.reading.view.visitItems(query) { listing in
            guard try owners.include(.list(listing.item.listID)) else { return .next }
            return try add(sight.reading.json(listing), Self.key(of: listing.item, by: order))
          }
        }
      })
  }

  private static func key(of item: Item, by order: ItemQuery.Order) -> [Int64] {
    let place = [item.listID, item.position]
    switch order {
    case .due: return [item.due.map { Int64($0.instant.date.timeIntervalSince1970) } ?? .max] + place
    case .place: return place
    }
  }

  private static func query(_ request: APIRequest, _ reading: Reading) throws -> ItemQuery {
    let (names, isOverdue) = (request.query, try request.query.flag("overdue") ?? false)
    var query = ItemQuery(checked: try names.flag("all") == false ? .unchecked : .any)
    if let isChecked = try names.flag("checked") { query.checked = isChecked ? .checked : .unchecked }
    query.dueBefore = try names["due_before"].map { try request.reader(reading).instant($0, called: "due_before") }
    query.priority = try names.one("priority", of: ItemPriority.Level.allCases, \.rawValue)
    if let tags = names["tag"] { query.tags = try ItemTags(written: tags.split(separator: ",").map(String.init)) }
    if isOverdue {
      query.checked = .unchecked
      query.dueBefore = min(query.dueBefore ?? .distantFuture, reading.now)
    }
    return query
  }

  // MARK: Changing

  /// - Parameter remarks: what is told of the line that the item comes from; `nil` for an item of fields.
  private func add(
    _ request: APIRequest, _ entry: ItemEntry, to list: Int64?, remarks: [String]? = nil
  ) async throws -> APIReply {
    try await request.change { _ in
    } _: { belfry in
      // The entry is read and the item added in the same state.
      try belfry.read { reading in
        let sight = try request.atNamedTime(Sight(reading: reading, grant: request.visitor.grant))
        try sight.check(entry)
        let edit = try request.reader(sight.reading).edit(entry, of: nil)
        guard let text = edit.text else { throw Problem(missing: ItemField.text.rawValue) }
        let choice =
          try list.map { ListChoice.id(try sight.list($0).id) } ?? edit.list ?? belfry.settings.listChoice(nil)
        try sight.check(choice)
        let change = try belfry.add([ItemDraft(text: text, edit)], to: choice)
        let hindsight = try belfry.hindsight()
        var item = change.first.map { hindsight.json($0.listing) }?.objectValue ?? [:]
        if let remarks { item.append("remarks", .array(remarks.map { .string($0) })) }
        var reply = APIReply(.object(item))
        reply.fields[.location] = change.first.map { "\(APIOperation.base)/items/\($0.listing.item.id)" }
        return reply
      }
    }
  }

  private func addLine(_ request: APIRequest) async throws -> APIReply {
    let texts = try request.texts("line", "list")
    guard let line = texts["line"] else { throw Problem(missing: "line") }
    let read = try await request.readAtNamedTime { try request.reader($0.reading).line(line, of: $0) }
    var entry = read.entry
    if let list = texts["list"] {
      // The list that the line names takes precedence, but an unknown `list` is an error all the same.
      try await request.read { try $0.requireList(list) }
      if entry.values[.list] == nil { entry.values[.list] = .text(list) }
    }
    return try await add(request, entry, to: nil, remarks: read.remarks)
  }

  private func change(_ request: APIRequest) async throws -> APIReply {
    let (id, expected, entry) = (try request.number(), try request.expectedTag(), try request.itemEntry())
    let edit = try await request.read { sight in
      let listing = try sight.item(id)
      try expected.require(sight.reading.json(listing))
      try sight.check(entry)
      return try request.reader(sight.reading).edit(entry, of: listing)
    }
    return try await request.change { sight in
      try expected.require(sight.reading.json(sight.item(id)))
      if let choice = edit.list { try sight.check(choice) }
    } _: {
      APIReply(try $0.hindsight().json($0.edit(id, edit).listing))
    }
  }

  private func delete(_ request: APIRequest) async throws -> APIReply {
    let (id, expected) = (try request.number(), try request.expectedTag())
    return try await request.change { sight in
      try expected.require(sight.reading.json(sight.item(id)))
    } _: { belfry in
      APIReply(try belfry.delete([id]).map(belfry.hindsight().json).first ?? .null)
    }
  }
}

extension Sight {
  /// - Throws: ``Problem`` 422 if an entry names a list that the visitor may not see, as for an unknown list.
  fileprivate func check(_ entry: ItemEntry) throws {
    guard !grant.isForAllLists, case .text(let name)? = entry.values[.list] else { return }
    try requireList(name)
  }

  /// - Throws: ``Problem`` 422 if there is no such list, or the visitor may not see it.
  fileprivate func requireList(_ name: String) throws {
    do {
      _ = try list(named: TextRules.listName(name))
    } catch let error as BelfryError {
      throw Problem([FieldFault(.list, error)]) ?? Problem(error)
    }
  }
}
