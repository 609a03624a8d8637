import BelfryModel
import CivilTime
import FoundationEssentials

/// One press in progress: it is judged, carried out if there is something to do, and stored.
struct PressInProgress {
  private let press: Press
  private let change: Change
  private let settings: Settings
  private let reminder: Reminder
  private let content: ReminderContent?
  private let action: CategoryAction
  private let judge: PressJudge

  private var view: any StoreTransaction { change.transaction }
  private var strength: ActionOperation.Strength { action.operation.word.strength }
  private var zone: Zone { judge.zone }

  /// A press before it is judged.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a reminder or action that is not there.
  init(_ press: Press, _ change: Change, _ settings: Settings) throws {
    (self.press, self.change, self.settings) = (press, change, settings)
    reminder = try change.transaction.knownReminder(press.reminder)
    let actions = try ReminderActions(of: reminder, in: change.transaction, settings)
    (content, action) = (actions.content, try actions.action(press.choice))
    judge = PressJudge(view: change.transaction, planner: change.planner, reminder: reminder, action: action)
  }

  func run() throws -> PressResult {
    let judgement = try judge.judge(isAuthenticated: press.isAuthenticated)
    if action.operation == .edit, case .open = judgement { return .edit(reminder.occurrence.owner) }
    if let repetition = try repetition(judgement) { return repetition }
    switch judgement {
    case .settled(let effect, let reply): return .answered(try keep(effect, reply), isRepetition: false)
    case .open: return .answered(try carryOut(), isRepetition: false)
    }
  }

  private func carryOut() throws -> Answer {
    let owner = reminder.occurrence.owner
    if strength > .none { try change.note(owner) }
    guard let done = try change.carryOut(action.operation, of: reminder, content, escalation: escalation()) else {
      return try keep(.already, "nothing was left to do")
    }
    var answer = try keep(.done, done.words, snooze: done.snooze)
    guard strength > .none, let notes = change.notes else { return answer }
    try change.discardEndedDeliveries(of: owner)
    answer.image = UndoContent(notes, command: press.command ?? "act").text
    try view.update(answer)
    if let command = press.command {
      let undo = UndoContent(takingBack: answer.id, command: command)
      try change.keep(undo)
    }
    return answer
  }

  private func escalation() throws -> Escalation? {
    guard !settings.escalations.isEmpty else { return nil }
    switch reminder.occurrence.owner {
    case .item(let id):
      return try view.item(id: id).flatMap { settings.escalation(forList: $0.listName, category: $0.item.category) }
    case .list(let id):
      return try view.list(id: id).flatMap { settings.escalation(forList: $0.name, category: $0.reminder?.category) }
    }
  }

  private func keep(_ effect: Answer.Effect, _ reply: String, snooze: UUID? = nil) throws -> Answer {
    let occurrence = reminder.occurrence
    return try view.add(
      Answer(
        id: 0, reminderID: reminder.id, ring: view.ring(of: reminder), owner: occurrence.owner,
        wallTime: occurrence.wallTime, lead: occurrence.lead, listName: listName(), text: text(),
        action: action.identifier, operation: action.operation.word, person: author(), channel: press.channel,
        externalID: press.externalID, date: change.stamp, effect: effect, reply: reply, snooze: snooze))
  }

  private func author() throws -> Int64 {
    switch press.author {
    case .number(let number): number
    case .name(let name): try view.addPerson(named: name).number
    }
  }

  // The list's name in the message; if there is no message, its present name.
  private func listName() throws -> String { try content?.listName ?? view.list(of: reminder)?.name ?? "" }

  private func text() throws -> String {
    if let content { return content.text }
    switch reminder.occurrence.owner {
    case .item(let id): return try view.item(id: id)?.item.text ?? ""
    case .list(let id): return try view.list(id: id).map { $0.reminder?.message ?? $0.name } ?? ""
    }
  }
}

// MARK: Repetitions

extension PressInProgress {
  // A refused press counts once the person has signed in; any other acts once, until it is taken back or undone.
  private func repetition(_ judgement: Judgement) throws -> PressResult? {
    guard let id = press.externalID, let earlier = try view.latestAnswer(by: press.channel, externalID: id) else {
      return nil
    }
    let isSame: Bool
    switch earlier.effect {
    case .done: isSame = try earlier.takenBackAt == nil && view.holds(earlier)
    case .refused where judgement.effect != .refused: return nil
    case .already, .gone, .refused: isSame = judgement.effect == earlier.effect
    }
    if isSame { return .answered(earlier, isRepetition: true) }
    let latest = try view.latestAnswer(to: reminder)?.id ?? 0
    guard press.latestAnswer != latest, !isLater(press, than: earlier) else { return nil }
    let when = earlier.takenBackAt.map { "was taken back \(zone.readable($0))" } ?? "was changed since"
    return .spent(latestAnswer: latest, reply: "this \(when): nothing was changed")
  }

  // A repetition of the press has the time of its answer, so it is not later.
  private func isLater(_ press: Press, than earlier: Answer) -> Bool {
    guard let time = press.pressedAt else { return false }
    return earlier.takenBackAt.map { time >= $0 } ?? (time > earlier.date)
  }
}
