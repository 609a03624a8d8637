import BelfryEngine
import BelfryModel
import OrderedJSON

/// The operations that undo the visitor's last change, and make it again.
struct UndoOperations: APIGroup {
  var operations: [APIOperation] {
    [
      step(.undo, "undo", "Undoes the last change of items and lists, if the visitor made it", "/undo"),
      step(.redo, "redo", "Redoes what was undone last, if the visitor undid it", "/redo"),
    ]
  }

  private func step(
    _ direction: UndoRecord.Direction, _ id: String, _ summary: String, _ path: String
  ) -> APIOperation {
    APIOperation(
      id, summary, .post, path, .scope(.edit), replies: .json(.array(of: .named("UndoneEntry")))
    ) { request in
      let visitor = request.visitor
      return try await request.change {
        try $0.requireUndo(by: visitor, direction)
      } _: { belfry in
        let undone = try direction == .undo ? belfry.undo() : belfry.redo()
        let summaries = try? belfry.read { try $0.view.listSummaries(now: $0.now) }
        return APIReply(try belfry.hindsight().json(undone, lists: summaries ?? []))
      }
    }
  }
}
