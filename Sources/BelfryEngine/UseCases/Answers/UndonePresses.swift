import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Undoes what presses did to a reminder since an instant: takes back the answers that they gave, the latest first, and
  /// lets those count again that they took back. What was changed since is left as it is.
  ///
  /// - Parameters:
  ///   - presses: the identities of the presses within their channel.
  ///   - takenBack: what was taken back with them, in that order.
  /// - Throws: ``BelfryError`` `.notFound` for a reminder that is not there, and what the store throws.
  public func undoPresses(
    by channel: Answer.Channel, _ presses: Set<String>, takenBack: [TakenBack] = [], over reminder: UUID,
    since start: Date
  ) throws {
    let given = try read { reading in
      try reading.view.answers(of: reading.view.knownReminder(reminder).occurrence.owner).filter { answer in
        answer.channel == channel && answer.effect == .done && answer.date >= start
          && answer.externalID.map(presses.contains) ?? false
      }
    }
    for answer in given.reversed() where answer.counts {
      try unlessChanged { _ = try takeBack(answer.id, over: reminder) }
    }
    let own = Set(given.map(\.id))
    for takenBack in takenBack.reversed() where !own.contains(takenBack.answer.id) {
      try unlessChanged { try change { try $0.reverse(takenBack) } }
    }
  }

  private func unlessChanged(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as BelfryError where error.kind == .badInput {}
  }
}

extension Change {
  // The bell of other answers may have been restored meanwhile, so this one's is called off by the rules of answers, and
  // not put back as it was.
  fileprivate func reverse(_ takenBack: TakenBack) throws {
    guard let answer = takenBack.reversal?.answer, try transaction.answer(id: answer.id)?.takenBackAt != nil,
      let content = takenBack.reversal.flatMap({ UndoContent(parsing: $0.image) }), content.isComplete,
      try canRing(answer.snooze)
    else { return }
    var undoing = UndoInProgress(
      self, try changes(in: content), made: stamp, subject: "the taking back of answer \(answer.id)",
      hint: "'belfry answers' shows it", restoresBell: false)
    _ = try undoing.run()
    try transaction.update(answer)
    try ring(answer.snooze)
    if let reminder = try transaction.reminder(id: answer.reminderID) { try endNags(of: reminder) }
    try discardEndedDeliveries(of: answer.owner)
    outdated.add(answer.owner)
  }

  // An answer whose snooze does not ring any more would silence the reminder for good.
  private func canRing(_ snooze: UUID?) throws -> Bool {
    guard let snooze else { return true }
    guard let reminder = try transaction.reminder(id: snooze), reminder.state == .cancelled,
      reminder.fireDate.date > now, let plan = try plan(of: reminder.occurrence.owner),
      plan.series.contains(reminder.occurrence.wallTime),
      try transaction.answerInForce(over: reminder)?.strength ?? .none < .snooze
    else { return false }
    return try !scheduledExtraRinging(of: plan.owner).contains(where: \.occurrence.kind.isSnooze)
  }

  private func ring(_ snooze: UUID?) throws {
    guard var reminder = try snooze.flatMap({ try transaction.reminder(id: $0) }) else { return }
    // Nags are silent until it rings.
    try cancelExtraRinging(of: reminder.occurrence.owner)
    (reminder.state, reminder.changedAt) = (.scheduled, stamp)
    try transaction.put(reminder)
  }
}
