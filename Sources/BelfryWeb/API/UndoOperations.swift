import BelfryEngine
import BelfryModel
import OrderedJSON

/// The operations that undo the visitor's last change, and make it again.
struct UndoOperations: APIGroup {
  var operations: [APIOperation] {
    [
      step(.undo, "undo", "Undoes the visitor's last change of items and lists", "/undo"),
      step(.redo, "redo", "Redoes what the visitor undid last, if nothing was changed since", "/redo"),
    ]
  }

  private func step(
    _ direction: UndoRecord.Direction, _ id: String, _ summary: String, _ path: String
  ) -> APIOperation {
    APIOperation(
      id, summary, .post, path, .scope(.edit), replies: .json(.array(of: .named("UndoneEntry")))
    ) { request in
      try await request.change { _ in
      } _: { belfry in
        let undone = try direction == .undo ? belfry.undo() : belfry.redo()
        let summaries = try? belfry.read { try $0.view.listSummaries(now: $0.now) }
        return APIReply(try belfry.hindsight().json(undone, lists: summaries ?? []))
      }
    }
  }
}
