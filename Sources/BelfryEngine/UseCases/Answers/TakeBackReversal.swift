import BelfryModel
import FoundationEssentials

/// Restores an answer that was taken back, with exactly the state before.
struct TakeBackReversal: Hashable {
  /// The number of the latest answer about the same item or list: later ones were given after it was taken back.
  let latestAnswer: Int64
  fileprivate let answer: Answer
  fileprivate let owners: [ReminderOwner]
  /// The changes of items and lists, as the text of an ``UndoContent``.
  fileprivate let image: String
  fileprivate let before: BellState
  fileprivate let after: BellState
}

/// The part of a state, besides items and lists, that an answer changes, and that is restored when it is taken back.
private struct BellState: Hashable {
  let answers: [Answer]
  /// The scheduled snoozes, nags and steps.
  let extraRinging: [Reminder]

  var snoozes: Set<UUID> { Set(extraRinging.filter(\.occurrence.kind.isSnooze).map(\.id)) }

  init(of owners: [ReminderOwner], in change: Change) throws {
    answers = try owners.flatMap { try change.transaction.answers(of: $0) }
    extraRinging = try owners.flatMap { try change.scheduledExtraRinging(of: $0) }
  }

  /// True if nothing has changed since an earlier state. Answers that were given and taken back meanwhile do not count
  /// as changes, nor do nags and steps that rang.
  func isUnchanged(since earlier: BellState) -> Bool {
    let known = Set(earlier.answers.map(\.id))
    return answers.filter { known.contains($0.id) || $0.counts } == earlier.answers && snoozes == earlier.snoozes
  }

  /// The snoozes, nags and steps that ring here and not in another state.
  func ringing(besides other: BellState) -> [Reminder] {
    let others = Set(other.extraRinging.map(\.id))
    return extraRinging.filter { !others.contains($0.id) }
  }
}

extension Change {
  /// Takes back an answer, and keeps its reversal.
  func takeBackReversibly(_ answer: Answer) throws -> TakenBack {
    var change = self
    let notes = UndoNotes()
    change.notes = notes
    let content = answer.image.flatMap(UndoContent.init(parsing:))
    let owners = Array((content?.owners ?? []).union([answer.owner]))
    let before = try BellState(of: owners, in: self)
    var takenBack = try change.takeBack(answer.id)
    guard !takenBack.isRepetition else { return takenBack }
    takenBack.reversal = TakeBackReversal(
      latestAnswer: try transaction.answers(of: answer.owner).last?.id ?? answer.id, answer: answer, owners: owners,
      image: UndoContent(notes, command: "take-back").text, before: before, after: try BellState(of: owners, in: self))
    return takenBack
  }

  /// Restores the state before an answer was taken back.
  ///
  /// - Throws: ``BelfryError`` `.badInput` if anything has changed since.
  func reverse(_ reversal: TakeBackReversal) throws {
    let (subject, hint) = ("answer \(reversal.answer.id) was taken back", "'belfry answers' shows it")
    guard let content = UndoContent(parsing: reversal.image), content.isComplete,
      try BellState(of: reversal.owners, in: self).isUnchanged(since: reversal.after)
    else { throw BelfryError(.badInput, "cannot redo: something was changed after \(subject)", hint: hint) }
    var undoing = UndoInProgress(
      self, try changes(in: content), .redo, made: stamp, subject: subject, hint: hint, restoresBell: false)
    _ = try undoing.run()
    try set(reversal.after.ringing(besides: reversal.before), from: .scheduled, to: .cancelled)
    try set(reversal.before.ringing(besides: reversal.after), from: .cancelled, to: .scheduled)
    for (answer, left) in zip(reversal.before.answers, reversal.after.answers) where answer != left {
      try transaction.update(answer)
    }
    // A reminder that was restored may have rung since, and another may follow it.
    if let reminder = try transaction.reminder(id: reversal.answer.reminderID),
      try transaction.answerInForce(over: reminder) != nil
    {
      try endFollowers(of: reminder)
    }
    for owner in reversal.owners { try discardEndedDeliveries(of: owner) }
    for owner in reversal.owners { outdated.add(owner) }
  }

  private func set(_ reminders: [Reminder], from state: Reminder.State, to newState: Reminder.State) throws {
    for id in reminders.map(\.id) {
      guard var reminder = try transaction.reminder(id: id), reminder.state == state else { continue }
      (reminder.state, reminder.changedAt) = (newState, stamp)
      try transaction.put(reminder)
    }
  }
}
