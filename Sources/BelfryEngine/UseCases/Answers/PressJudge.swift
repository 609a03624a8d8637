import BelfryModel
import CivilTime
import FoundationEssentials

/// The decision about a press.
enum Judgement {
  case open
  /// The press changes nothing, and its answer has this effect and reply.
  case settled(Answer.Effect, String)

  var effect: Answer.Effect {
    switch self {
    case .open: .done
    case .settled(let effect, _): effect
    }
  }

  /// The reason why it would change nothing; `nil` if it is carried out.
  var obstacle: String? {
    switch self {
    case .open: nil
    case .settled(_, let words): words
    }
  }
}

/// Judges presses of an action of a reminder, and changes nothing.
struct PressJudge {
  let view: any StoreView
  let planner: Planner
  let reminder: Reminder
  let action: CategoryAction

  private var strength: ActionOperation.Strength { action.operation.word.strength }

  /// The zone of the item, in which messages give times.
  var zone: Zone {
    guard case .item(let id) = reminder.occurrence.owner, let item = try? view.item(id: id)?.item else {
      return planner.floatingZone
    }
    return planner.displayZone(item.zone)
  }

  /// Judges what a press would do now.
  ///
  /// - Parameter isAuthenticated: whether the person has proved who they are.
  func judge(isAuthenticated: Bool) throws -> Judgement {
    // An action that opens an item or list needs no reminder that still waits for an answer.
    let onlyOpens = action.operation == .edit
    if !onlyOpens, let settled = try settled(isAuthenticated: isAuthenticated) { return settled }
    switch reminder.occurrence.owner {
    case .item(let id):
      guard let item = try view.item(id: id)?.item else { return .settled(.gone, "the item was deleted") }
      return onlyOpens || strength >= .destructive ? .open : judge(item)
    case .list(let id):
      guard let list = try view.list(id: id) else { return .settled(.gone, "the list was deleted") }
      return onlyOpens ? .open : judge(list)
    }
  }

  // Nil if it depends on the item or list.
  private func settled(isAuthenticated: Bool) throws -> Judgement? {
    if action.needsSignIn, !isAuthenticated {
      return .settled(.refused, "'\(action.identifier)' is only for a person who has signed in")
    }
    guard reminder.state != .cancelled else { return .settled(.gone, "the reminder was cancelled") }
    guard let standing = try view.answerInForce(over: reminder), strength <= standing.strength else { return nil }
    return .settled(.already, try words(standing))
  }

  private func judge(_ item: Item) -> Judgement {
    let time = reminder.occurrence.wallTime
    if item.isChecked {
      let when = item.checkedAt.map { " \(zone.readable($0))" } ?? ""
      return .settled(.already, "\(item.quoted) was checked\(when)")
    }
    guard let due = item.due else { return .settled(.gone, "\(item.quoted) has no due date any more") }
    if item.isDone(with: time) {
      return .settled(.already, "\(item.quoted) has moved on to \(zone.readable(due.instant.date))")
    }
    let isStill = planner.series(of: item)?.contains(time) ?? (due.local == time)
    guard isStill else {
      return .settled(.gone, "\(item.quoted) is now due \(zone.readable(due.instant.date))")
    }
    if strength == .snooze, planner.plan(of: item) == nil {
      return .settled(.gone, "\(item.quoted) does not ring any more: \(item.reasonForSilence)")
    }
    return judgeRinging()
  }

  private func judge(_ list: Checklist) -> Judgement {
    if action.operation == .delete { return .settled(.gone, "a list's own reminder has no item to delete") }
    if strength == .snooze, list.reminder == nil {
      return .settled(.gone, "the list '\(list.name)' has no reminder of its own any more")
    }
    return judgeRinging()
  }

  private func judgeRinging() -> Judgement {
    guard strength == .acknowledge, reminder.state == .scheduled else { return .open }
    return .settled(.gone, "the reminder has not rung yet: there is nothing to acknowledge")
  }

  private func words(_ standing: Answer) throws -> String {
    let giver = standing.channel.giver(try view.personName(standing.person))
    let words = "\(standing.reply): '\(standing.action)' by \(giver), \(zone.readable(standing.date))"
    guard strength == .snooze, standing.strength == .snooze, case .item(let id) = standing.owner else { return words }
    return "\(words); 'belfry snooze \(id)' changes it"
  }
}
