import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Undoes the last change of items and lists that is not undone yet, and plans their reminders anew: an occurrence that
  /// has fired does not fire again.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if there is no change to undo, `.badInput` if an item or list was changed
  ///   since, and errors of the store.
  public func undo() throws -> UndoneChange { try step(.undo) }

  /// Makes again what ``undo()`` undid last, if nothing was changed since.
  ///
  /// - Throws: as ``undo()``.
  public func redo() throws -> UndoneChange { try step(.redo) }

  private func step(_ direction: UndoRecord.Direction) throws -> UndoneChange {
    try change { change in
      var change = change
      let notes = UndoNotes()
      change.notes = notes
      let undone = try change.step(direction)
      try change.transaction.removeUndoRecords(direction, newestOnly: true)
      if !notes.isEmpty {
        let back = UndoContent(notes, command: undone.command, author: author)
        try change.transaction.add(
          UndoRecord(date: change.stamp, content: back.text, direction: direction.opposite))
      }
      return undone
    }
  }
}

extension Reading {
  /// True unless somebody else made the change that an undo, or a redo, would touch; commands have no author.
  package func mayUndo(_ author: String, _ direction: UndoRecord.Direction = .undo) throws -> Bool {
    guard let content = try view.undoRecord(direction).flatMap({ UndoContent(parsing: $0.content) }) else {
      return true
    }
    return content.author == author
  }
}

extension Change {
  fileprivate func step(_ direction: UndoRecord.Direction) throws -> UndoneChange {
    guard let record = try transaction.undoRecord(direction) else {
      throw direction == .undo ? BelfryError.nothingToUndo : BelfryError.nothingToRedo
    }
    let made = planner.floatingZone.readable(record.date)
    guard now.timeIntervalSince(record.date) <= Belfry.undoSpan else {
      throw BelfryError(
        .notFound, "the last change was made \(made): only what is less than a day old can be taken back")
    }
    guard let content = UndoContent(parsing: record.content) else {
      throw BelfryError(.notFound, "the last change was made by another version of Belfry, which can take it back")
    }
    guard content.isComplete else {
      throw BelfryError(
        .notFound,
        "the last change, 'belfry \(content.command)', changed more than \(UndoNotes.limit) items and lists: that is "
          + "too much to take back")
    }
    if let answer = content.answer { return try undo(answer) }
    var undoing = UndoInProgress(
      self, content, made: record.date, subject: "'belfry \(content.command)'",
      hint: "it was changed since; 'belfry show --all' shows what there is", restoresBell: true)
    return try undoing.run()
  }
}

extension BelfryError {
  /// The error where no change can be taken back.
  package static let nothingToUndo = BelfryError(
    .notFound, "there is no change to take back", hint: "'belfry show' shows what there is")

  /// The error where no change can be made again.
  package static let nothingToRedo = BelfryError(
    .notFound, "there is nothing to redo: nothing was undone since the last change",
    hint: "'belfry show' shows what there is")
}
