import BelfryModel
import FoundationEssentials

/// The result of taking back an answer.
public struct TakenBack: Hashable, Sendable {
  /// The answer that was taken back.
  public let answer: Answer
  /// The items, lists and deliveries that were restored.
  public let undone: UndoneChange
  /// True if it had already been taken back, and nothing was done now.
  public let isRepetition: Bool
  /// The data to restore the answer; `nil` if none was kept.
  var reversal: TakeBackReversal?
}

extension Belfry {
  /// Takes back an answer: its changes are reversed, and reminders go on as if it had not been given, except those that
  /// have rung since. Answers can be taken back in any order, as long as nothing else has changed the same since.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` for an answer that is over a day old or changed nothing, or
  ///   whose effect was changed since.
  public func takeBack(_ id: Int64) throws -> TakenBack {
    try change(as: "take-back") { try $0.takeBack(id) }
  }

  /// Takes back an answer that was given over one reminder, its nags or its other alerts. It does not count as a
  /// command: `undo` still undoes the last command.
  ///
  /// - Throws: as ``takeBack(_:)``; ``BelfryError`` `.notFound` also for an answer to another reminder.
  public func takeBack(_ id: Int64, over reminder: UUID) throws -> TakenBack {
    try change { change in
      let occurrence = try change.transaction.knownReminder(reminder).occurrence
      let answer = try change.transaction.answer(id: id)
      guard let answer, answer.owner == occurrence.owner, answer.wallTime == occurrence.wallTime else {
        throw BelfryError(.notFound, "the reminder has no answer \(id)")
      }
      return try change.takeBackReversibly(answer)
    }
  }
}

extension Change {
  /// Undoes a command that gave an answer.
  func undo(_ answer: Int64) throws -> UndoneChange {
    let takenBack = try takeBack(answer)
    guard !takenBack.isRepetition else {
      throw BelfryError(.badInput, "answer \(answer) was taken back already", hint: "'belfry answers' shows it")
    }
    return takenBack.undone
  }

  func takeBack(_ id: Int64) throws -> TakenBack {
    guard var answer = try transaction.answer(id: id) else {
      throw BelfryError(.notFound, "there is no answer \(id)", hint: "'belfry answers' lists them")
    }
    guard answer.takenBackAt == nil else {
      return TakenBack(answer: answer, undone: UndoneChange(command: "act", date: answer.date), isRepetition: true)
    }
    let content = try image(of: answer)
    try note(answer.owner)
    var undone = UndoneChange(command: content.command, date: answer.date)
    if answer.strength >= .check {
      let hint = try hint(for: answer)
      var undoing = UndoInProgress(
        self, try changes(in: content), .undo, made: answer.date, subject: "answer \(id)", hint: hint,
        restoresBell: false)
      undone = try undoing.run()
    } else {
      try endSnooze(of: answer)
    }
    answer.takenBackAt = stamp
    try transaction.update(answer)
    try forgetSnooze(of: answer)
    var bell = BellRestoration(change: self)
    for owner in content.owners.union([answer.owner]) {
      try bell.run(owner)
      outdated.add(owner)
    }
    undone.resumedCount = bell.resumedCount
    return TakenBack(answer: try transaction.answer(id: id) ?? answer, undone: undone, isRepetition: false)
  }

  private func image(of answer: Answer) throws -> UndoContent {
    guard answer.counts else {
      throw BelfryError(
        .badInput, "answer \(answer.id) changed nothing (\(answer.reply)): there is nothing to take back")
    }
    guard now.timeIntervalSince(answer.date) <= Belfry.undoSpan else {
      let given = planner.floatingZone.readable(answer.date)
      throw BelfryError(
        .badInput, "answer \(answer.id) was given \(given): only what is less than a day old can be taken back")
    }
    guard let content = answer.image.flatMap(UndoContent.init(parsing:)), content.isComplete else {
      throw BelfryError(.badInput, "answer \(answer.id) changed too much to be taken back")
    }
    return content
  }

  /// The part of a content that changed items and lists. Those noted only to restore their reminders may have changed
  /// since.
  func changes(in content: UndoContent) throws -> UndoContent {
    var content = content
    content.items = try content.items.filter { entry in
      try entry.before.flatMap { try restored(item: $0)?.undoMark } != entry.after
    }
    content.lists = try content.lists.filter { entry in
      try entry.before.flatMap { try restored(list: $0)?.undoMark } != entry.after
    }
    return content
  }

  // The latest answer has to be taken back first.
  private func hint(for answer: Answer) throws -> String {
    let later = try transaction.answers(of: answer.owner).last { $0.id > answer.id && $0.counts }
    return later.map { "answer \($0.id) ('\($0.action)') came after it: 'belfry take-back \($0.id)' first" }
      ?? "'belfry show --all' shows what there is"
  }

  // Later answers that ended the snooze no longer restore it. A command or another answer may have snoozed to the same
  // minute, and thus under the same identity. Then that snooze is restored.
  private func forgetSnooze(of answer: Answer) throws {
    guard let snooze = answer.snooze else { return }
    for var later in try transaction.answers(of: answer.owner) where later.id > answer.id {
      guard var content = later.image.flatMap(UndoContent.init(parsing:)), content.forget(snooze) else { continue }
      later.image = content.text
      try transaction.update(later)
    }
  }

  // A snooze that a stronger answer has ended stays ended; any other change of it keeps the answer from being taken
  // back.
  private func endSnooze(of answer: Answer) throws {
    guard var snooze = try answer.snooze.flatMap({ try transaction.reminder(id: $0) }) else { return }
    let hasRung = BelfryError(.badInput, "it has rung again since: answer \(answer.id) cannot be taken back")
    switch snooze.state {
    case .missed: return
    case .fired: throw hasRung
    case .scheduled:
      // A snooze of a later ringing until the same minute is the same reminder.
      let answered = try transaction.reminder(id: answer.reminderID)
      guard try answered.map({ try transaction.ring(of: $0) == answer.ring }) ?? true else { throw hasRung }
      (snooze.state, snooze.changedAt) = (.cancelled, stamp)
      try transaction.put(snooze)
    case .cancelled:
      guard try transaction.answerInForce(over: snooze)?.strength ?? .none > answer.strength else {
        throw BelfryError(
          .badInput, "cannot undo: the snooze of answer \(answer.id) was changed since",
          hint: "'belfry pending' shows what is to ring")
      }
    }
  }
}
