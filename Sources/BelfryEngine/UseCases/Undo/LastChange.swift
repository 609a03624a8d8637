import BelfryModel
import FoundationEssentials
import OrderedJSON

extension Belfry {
  /// Undoes the last change of items and lists that is not undone yet, and plans their reminders again: an occurrence
  /// that has fired does not fire again. With an ``author``, it is the last change of that author.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if there is no change to undo, `.badInput` if an item or list was changed
  ///   since, and errors of the store.
  public func undo() throws -> UndoneChange { try step(.undo) }

  /// Redoes the change that ``undo()`` undid last, if nothing was changed since.
  ///
  /// - Throws: as ``undo()``.
  public func redo() throws -> UndoneChange { try step(.redo) }

  private func step(_ direction: UndoRecord.Direction) throws -> UndoneChange {
    try change { change in
      var change = change
      let notes = UndoNotes()
      change.notes = notes
      guard let record = try change.transaction.undoRecord(direction, by: author) else {
        throw BelfryError.nothing(to: direction, by: author)
      }
      let undone = try change.carryOut(record)
      try change.endNotes()
      try change.transaction.remove(record)
      if !notes.isEmpty {
        let back = UndoContent(notes, command: undone.command, author: author)
        try change.transaction.add(
          UndoRecord(date: change.stamp, content: back.text, direction: direction.opposite))
      }
      return undone
    }
  }
}

extension StoreView {
  /// The newest undo record of a direction that an author may use: without an author, as for commands, any record;
  /// otherwise only the author's own. Returns `nil` if there is none.
  package func undoRecord(_ direction: UndoRecord.Direction, by author: String?) throws -> UndoRecord? {
    try undoRecords(direction).first { author == nil || UndoContent(parsing: $0.content)?.author == author }
  }
}

/// A summary of a change, for its author.
package struct RecordedChange: Sendable {
  /// An item or a list that it changed.
  package struct Subject: Sendable {
    package let id: Int64
    /// The text of the item, or the name of the list, before the change; `nil` if the change added it.
    package let name: String?
    /// True if the change deleted it.
    package let isDeleted: Bool
  }

  /// The command that made it, as typed after `belfry`.
  package let command: String
  package let items: [Subject]
  package let lists: [Subject]
}

extension UndoRecord {
  /// A summary of the change; `nil` if another version of Belfry made the record.
  package var summary: RecordedChange? {
    guard let content = UndoContent(parsing: content) else { return nil }
    func subjects(_ entries: [UndoContent.Entry]) -> [RecordedChange.Subject] {
      entries.map { RecordedChange.Subject(id: $0.id, name: $0.knownName, isDeleted: $0.after == nil) }
    }
    return RecordedChange(
      command: content.command, items: subjects(content.items), lists: subjects(content.lists))
  }
}

extension UndoContent.Entry {
  /// The text of the item, or the name of the list, before the change; `nil` if the change added it. The author of the
  /// change knows this name, but may not be allowed to see the present one.
  var knownName: String? {
    let record = before.flatMap { try? JSONValue(parsing: $0.utf8) }
    return record?["text"]?.stringValue ?? record?["name"]?.stringValue
  }
}

extension Change {
  fileprivate func carryOut(_ record: UndoRecord) throws -> UndoneChange {
    let words = record.direction.words
    let made = planner.floatingZone.readable(record.date)
    guard now.timeIntervalSince(record.date) <= Belfry.undoSpan else {
      throw BelfryError(
        .notFound, "the last change was \(words.done) \(made): only what is less than a day old can be \(words.step)")
    }
    guard let content = UndoContent(parsing: record.content) else {
      throw BelfryError(
        .notFound,
        "the last change was \(words.done) by another version of Belfry: only that version can \(words.verb) it"
      )
    }
    guard content.isComplete else {
      throw BelfryError(
        .notFound,
        "the last change, 'belfry \(content.command)', changed more than \(UndoNotes.limit) items and lists: that is "
          + "too much to be \(words.step)")
    }
    if let answer = content.answer { return try undo(answer) }
    var undoing = UndoInProgress(
      self, content, record.direction, made: record.date,
      subject: "'belfry \(content.command)'\(record.direction == .redo ? " was undone" : "")",
      hint: "'belfry show --all' shows what there is", restoresBell: true)
    return try undoing.run()
  }
}

extension UndoRecord.Direction {
  /// Words for messages: the verb for this step, the participle for the step before it, and the participle for this
  /// step.
  var words: (verb: String, done: String, step: String) {
    switch self {
    case .undo: ("undo", "made", "undone")
    case .redo: ("redo", "undone", "redone")
    }
  }
}

extension BelfryError {
  fileprivate static func nothing(to direction: UndoRecord.Direction, by author: String?) -> BelfryError {
    let whose = author == nil ? "" : " of yours"
    let message =
      switch direction {
      case .undo: "there is no change\(whose) to undo"
      case .redo: "there is nothing\(whose) to redo: nothing was undone since the last change"
      }
    return BelfryError(.notFound, message, hint: "'belfry show' shows what there is")
  }
}
