import BelfryEngine
import BelfryModel
import CivilTime
import HTTPTypes
import OrderedJSON

/// The operations on lists.
struct ListOperations: APIGroup {
  private static let list = JSONSchema.named("List")

  var operations: [APIOperation] {
    [
      APIOperation(
        "getLists", "The lists with their counts", .get, "/lists", .scope(.read), replies: .page(of: Self.list)
      ) {
        try await lists($0)
      },
      APIOperation(
        "addList", "Makes a list", .post, "/lists", .allLists(.edit), body: .object(.named("ListName")),
        status: .created, replies: .json(Self.list)
      ) { try await add($0) },
      APIOperation("getList", "A list", .get, "/lists/{id}", .scope(.read), replies: .json(Self.list)) { request in
        let id = try request.number()
        return APIReply(try await request.read { $0.reading.json(try $0.summary(id)) })
      },
      // Whether a name is free tells of lists that not everybody sees.
      edit(
        "renameList", "Renames a list", .patch, "/lists/{id}", .patch(.named("ListName")), right: .allLists(.edit)
      ) { request, belfry, name in
        let new = try request.name()
        return try belfry.renameList(name, to: new)
      },
      edit("deleteList", "Deletes a list with its items", .delete, "/lists/{id}", .none) { _, belfry, name in
        try belfry.deleteList(name)
      },
      edit("clearList", "Deletes every item of a list", .delete, "/lists/{id}/items", .none) { _, belfry, name in
        try belfry.clearList(name)
      },
      edit(
        "remindList", "Sets the list's own reminder", .put, "/lists/{id}/reminder", .object(.named("NewListReminder"))
      ) { request, belfry, name in
        let draft = try belfry.read { try request.listReminder($0) }
        return try belfry.remindList(name, draft).summary
      },
      edit(
        "removeListReminder", "Removes the list's own reminder", .delete, "/lists/{id}/reminder", .none
      ) { _, belfry, name in try belfry.remindList(name, nil).summary },
    ]
  }

  private func lists(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    return APIReply(
      try await request.read { sight in
        try Page(wanted) { add in
          for summary in try sight.summaries() { try add(sight.reading.json(summary), [summary.list.id]) }
        }
      })
  }

  private func add(_ request: APIRequest) async throws -> APIReply {
    let name = try request.name()
    let (id, json) = try await request.change { _ in
    } _: { belfry in
      let summary = try belfry.createList(name)
      return (summary.list.id, try belfry.hindsight().json(summary))
    }
    var reply = APIReply(json)
    reply.location = "\(APIOperation.base)/lists/\(id)"
    return reply
  }

  /// An operation that changes a list as the visitor saw it. Use cases know lists by their names.
  private func edit(
    _ id: String, _ summary: String, _ method: HTTPRequest.Method, _ path: String, _ body: APIOperation.Body,
    right: RouteRight = .scope(.edit),
    _ change: @escaping @Sendable (APIRequest, Belfry, _ name: String) throws -> ListSummary
  ) -> APIOperation {
    APIOperation(
      id, summary, method, path, right, body: body, isConditional: true, replies: .json(Self.list)
    ) { request in
      let (id, expected) = (try request.number(), try request.expectedTag())
      let name = try await request.read { try $0.list(id).name }
      return APIReply(
        try await request.change { sight in
          let summary = try sight.summary(id)
          try expected.require(sight.reading.json(summary))
          guard summary.list.name == name else {
            throw Problem(.preconditionFailed, "this was changed since", hint: "read it again, and decide anew")
          }
        } _: { belfry in
          try belfry.hindsight().json(change(request, belfry, name))
        })
    }
  }
}

extension APIRequest {
  /// The name of a list that the body brings.
  ///
  /// - Throws: ``Problem`` 422.
  fileprivate func name() throws(Problem) -> String {
    guard let name = try texts("name")["name"] else {
      throw Problem(missing: "name")
    }
    return name
  }

  /// The list's own reminder that the body brings.
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
