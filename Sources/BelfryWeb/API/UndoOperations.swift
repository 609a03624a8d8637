import BelfryEngine
import BelfryModel
import OrderedJSON

/// The operation that undoes the visitor's last change.
struct UndoOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "undo", "Undoes the last change of items and lists, where it was the visitor's", .post, "/undo", .scope(.edit),
        replies: .json(.array(of: .named("UndoneEntry")))
      ) { try await undo($0) }
    ]
  }

  private func undo(_ request: APIRequest) async throws -> APIReply {
    let visitor = request.visitor
    return try await request.change {
      try $0.requireUndo(by: visitor)
    } _: { belfry in
      let undone = try belfry.undo()
      let summaries = try? belfry.read { try $0.view.listSummaries(now: $0.now) }
      return APIReply(try belfry.hindsight().json(undone, lists: summaries ?? []))
    }
  }
}
