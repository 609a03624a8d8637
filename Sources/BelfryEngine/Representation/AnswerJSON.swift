import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

extension Viewpoint {
  /// An answer as `--json` shows it.
  ///
  /// - Parameter people: the names of people, by number.
  public func json(_ answer: Answer, people: [Int64: String]) -> JSONValue {
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
      "person": .optional(people[answer.person]),
      "channel": .string(answer.channel.rawValue),
      "at": .instant(answer.date, zone),
      "effect": .string(answer.effect.name),
      "taken_back_at": .instant(answer.takenBackAt, zone),
    ]
  }

  /// A delivery with the answers to its message, as in `deliveries --json`.
  ///
  /// - Parameter people: the names of people, by number.
  public func json(
    _ delivery: Delivery, of message: Message, answers: [Answer], people: [Int64: String]
  ) -> JSONValue {
    var object = json(delivery, of: message).objectValue ?? [:]
    object.append("answers", .array(answers.map { json($0, people: people) }))
    return .object(object)
  }

  /// An answer that was just given, with the words of its effect, as in `act --json`.
  public func json(given answer: Answer, people: [Int64: String]) -> JSONValue {
    var object = json(answer, people: people).objectValue ?? [:]
    object.append("done", answer.effect == .done ? .string(answer.reply) : .null)
    return .object(object)
  }

  /// An answer in words: `answer 4, 'done' by Anna over link Sat 21 Nov 2026 10:03: checked item 1`.
  ///
  /// - Parameter people: the names of people, by number.
  public func words(_ answer: Answer, in zone: Zone, people: [Int64: String]) -> String {
    let giver = answer.channel.giver(people[answer.person])
    let given = "answer \(answer.id), '\(answer.action)' by \(giver) \(zone.readable(answer.date))"
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
