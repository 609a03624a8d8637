import BelfryModel

/// The result of a press.
public enum PressResult: Hashable, Sendable {
  /// The answer as the store keeps it, with its effect and the reply; the same for each repetition of the press.
  case answered(Answer, isRepetition: Bool)
  /// Nothing was done, since the effect of the same press was taken back or undone: it acts only with the number of the
  /// reminder's latest answer.
  case spent(latestAnswer: Int64, reply: String)
  /// Nothing was done: the press asks to edit the item or list, which is not an answer.
  case edit(ReminderOwner)
}

extension Belfry {
  /// Answers a reminder: carries out one of its actions and keeps that, in one transaction.
  ///
  /// A press that is received again changes nothing and gets the same reply. An answer that is not stronger than the
  /// one in force changes nothing either.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a reminder or action that is not there, and what the store throws.
  public func answer(_ press: Press) throws -> PressResult { try change { try answer(press, in: $0) } }

  /// Answers several reminders in order, so that simultaneous presses share one commit; see ``together(_:keep:)``.
  ///
  /// - Returns: the result of each press, in order, with the error that it would have had alone.
  public func answer(_ presses: [Press]) -> [Result<PressResult, any Error>] {
    together(presses.map { press in JointChange { try $0.answer(press) } })
  }

  func answer(_ press: Press, in change: Change) throws -> PressResult {
    var change = change
    change.notes = UndoNotes()
    return try PressInProgress(press, change, settings).run()
  }
}
