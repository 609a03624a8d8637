import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

extension Viewpoint {
  /// An answer as `--json` shows it.
  public func json(_ answer: Answer) -> JSONValue {
    let zone = planner.floatingZone
    let itemID: JSONValue = if case .item(let id) = answer.owner { .integer(id) } else { .null }
    return [
      "id": .integer(answer.id),
      "reminder_id": .uuid(answer.reminderID),
      "item_id": itemID,
      "list": .string(answer.listName),
      "text": .string(answer.text),
      "action": .string(answer.action),
      "do": .string(answer.operation.rawValue),
      "person": .optional(answer.person == 0 ? nil : "\(answer.person)"),
      "channel": .string(answer.channel.rawValue),
      "at": .instant(answer.date, zone),
      "effect": .string(answer.effect.name),
      "taken_back_at": .instant(answer.takenBackAt, zone),
    ]
  }

  /// An answer in words: `answer 4, 'done' by cli Sat 21 Nov 2026 10:03: checked item 1`.
  public func words(_ answer: Answer, in zone: Zone) -> String {
    let given = "answer \(answer.id), '\(answer.action)' by \(answer.channel.rawValue) \(zone.readable(answer.date))"
    let effect = answer.effect == .done ? "" : "\(answer.effect.name), "
    let takenBack = answer.takenBackAt.map { ", taken back \(zone.readable($0))" } ?? ""
    return "\(given): \(effect)\(answer.reply)\(takenBack)"
  }
}

extension StoreView {
  /// The answers to the reminders of a message, by number.
  public func answers(to message: Message) throws -> [Answer] {
    let reminders = Set(message.contents.map(\.reminderID))
    return try Set(message.contents.map(\.owner)).flatMap { try answers(of: $0) }
      .filter { reminders.contains($0.reminderID) }.sorted { $0.id < $1.id }
  }
}
