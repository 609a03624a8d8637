import BelfryEngine
import BelfryModel
import CivilTime
import HTTPTypes
import OrderedJSON

struct ListOperations: APIGroup {
  private static let list = JSONSchema.named("List")

  var operations: [APIOperation] {
    [
      APIOperation(
        "getLists", "The lists with their counts", .get, "/lists", .scope(.read), isSteady: true,
        replies: .page(of: Self.list)
      ) {
        try await lists($0)
      },
      APIOperation(
        "addList", "Makes a list", .post, "/lists", .allLists(.edit), body: .object(.named("ListName")),
        status: .created, replies: .json(Self.list)
      ) { try await add($0) },
      APIOperation("getList", "A list", .get, "/lists/{id}", .scope(.read), isSteady: true, replies: .json(Self.list)) {
        request in
        let id = try request.number()
        return APIReply(try await request.read { $0.reading.json(try $0.summary(id)) })
      },
      // Needs the right for all lists, since the error for a name that is taken reveals that such a list exists.
      edit(
        "editList", "Changes the name, the look and the place of a list", .patch, "/lists/{id}",
        .patch(.named("ListChange")), right: .allLists(.edit)
      ) { request, belfry, id in try belfry.editList(id, try request.listEdit()) },
      edit("deleteList", "Deletes a list with its items", .delete, "/lists/{id}", .none) { _, belfry, id in
        try belfry.deleteList(id)
      },
      edit("clearList", "Deletes every item of a list", .delete, "/lists/{id}/items", .none) { _, belfry, id in
        try belfry.clearList(id)
      },
      edit(
        "remindList", "Sets the list's own reminder", .put, "/lists/{id}/reminder", .object(.named("NewListReminder"))
      ) { request, belfry, id in
        let draft = try belfry.read { try request.listReminder($0) }
        return try belfry.remindList(id, draft).summary
      },
      edit(
        "removeListReminder", "Removes the list's own reminder", .delete, "/lists/{id}/reminder", .none
      ) { _, belfry, id in try belfry.remindList(id, nil).summary },
    ]
  }

  private func lists(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    return APIReply(
      try await request.read { sight in
        try Page(wanted) { add in
          for summary in try sight.summaries() {
            if try add(sight.reading.json(summary), [summary.list.id]) == .stop { return }
          }
        }
      })
  }

  private func add(_ request: APIRequest) async throws -> APIReply {
    let name = try request.name()
    return try await request.change { _ in
    } _: { belfry in
      let summary = try belfry.createList(name)
      var reply = APIReply(try belfry.hindsight().json(summary))
      reply.fields[.location] = "\(APIOperation.base)/lists/\(summary.list.id)"
      return reply
    }
  }

  /// An operation that changes a list, unless it was changed since the visitor read it.
  private func edit(
    _ id: String, _ summary: String, _ method: HTTPRequest.Method, _ path: String, _ body: APIOperation.Body,
    right: RouteRight = .scope(.edit),
    _ change: @escaping @Sendable (APIRequest, Belfry, _ list: Int64) throws -> ListSummary
  ) -> APIOperation {
    APIOperation(
      id, summary, method, path, right, body: body, isConditional: true, replies: .json(Self.list)
    ) { request in
      let (id, expected) = (try request.number(), try request.expectedTag())
      // First, so that the body is not read for a list that the visitor may not see.
      _ = try await request.read { try $0.list(id) }
      return try await request.change { sight in
        try expected.require(sight.reading.json(sight.summary(id)))
      } _: { belfry in
        APIReply(try belfry.hindsight().json(change(request, belfry, id)))
      }
    }
  }
}

extension APIRequest {
  /// The name of a list in the body.
  ///
  /// - Throws: ``Problem`` 422.
  fileprivate func name() throws(Problem) -> String {
    guard let name = try texts("name")["name"] else {
      throw Problem(missing: "name")
    }
    return name
  }

  /// The change of a list in the body: `null` clears a value, an absent member keeps it.
  ///
  /// - Throws: ``Problem`` 422.
  fileprivate func listEdit() throws(Problem) -> ListEdit {
    var (edit, faults) = (ListEdit(), [FieldFault]())
    for member in body.members {
      let name = member.key
      do throws(BelfryError) {
        switch (name, member.value) {
        case ("name", .string(let text)): edit.name = text
        case ("color", .null): edit.color = .clear
        case ("color", .string(let text)): edit.color = .set(try ListColor(parsing: text))
        case ("icon", .null): edit.icon = .clear
        case ("icon", .string(let text)): edit.icon = .set(try ListIcon(parsing: text))
        case ("before", .integer(let id)) where edit.place == nil: edit.place = .before(id)
        case ("after", .integer(let id)) where edit.place == nil: edit.place = .after(id)
        case ("name", _), ("color", _), ("icon", _): faults.append(FieldFault(name, "'\(name)' is not a text"))
        case ("before", _), ("after", _):
          faults.append(FieldFault(name, "'\(name)' must be the id of a list, and the only place"))
        default: faults.append(.unknown(name, among: ["name", "color", "icon", "before", "after"]))
        }
      } catch {
        faults.append(FieldFault(name, error.message, hint: error.hint))
      }
    }
    if let problem = Problem(faults) { throw problem }
    return edit
  }

  /// The list's own reminder in the body.
  fileprivate func listReminder(_ reading: Reading) throws -> ListReminderDraft {
    let texts = try texts("at", "message", "repeat", "time_zone", "category")
    let reader = reader(reading)
    guard let at = texts["at"] else {
      throw Problem(missing: "at")
    }
    let zone = try texts["time_zone"].map(reader.zone) ?? .floating
    return ListReminderDraft(
      at: try reader.wallTime(at, in: zone, called: "at"), zone: zone, rule: try texts["repeat"].map(reader.rule),
      message: texts["message"], category: try texts["category"].map(reader.category).flatMap { $0.isEmpty ? nil : $0 })
  }
}
