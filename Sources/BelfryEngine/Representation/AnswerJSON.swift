import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// An answer as JSON shows it.
struct ShownAnswer {
  let answer: Answer
  /// The names of people, by number.
  let people: [Int64: String]
  let zone: Zone
}

extension ShownForms {
  static let answer = answerForm("Answer") { _ in }

  static let givenAnswer = answerForm("GivenAnswer") { members in
    members.addNullable("done", .text, "what it has changed") { shown in
      shown.answer.effect == .done ? shown.answer.reply : nil
    }
  }

  private static func answerForm(
    _ name: String, and addMore: (inout ShownMembers<ShownAnswer>) -> Void
  ) -> ShownForm<ShownAnswer> {
    ShownForm(name) { members in
      members.add("id", .number) { $0.answer.id }
      members.add("reminder_id", .identity) { $0.answer.reminderID }
      members.addNullable("item_id", .number) { $0.answer.owner.itemID }
      members.add("list", .text) { $0.answer.listName }
      members.add("text", .text) { $0.answer.text }
      members.add("action", .text) { $0.answer.action }
      members.add("do", .text) { $0.answer.operation.rawValue }
      members.addNullable("person", .text) { $0.people[$0.answer.person] }
      members.add("channel", .text) { $0.answer.channel.name }
      members.add("at", .instant) { OffsetInstant($0.answer.date, in: $0.zone) }
      members.add("effect", .word(Answer.Effect.self) { $0.name }) { $0.answer.effect }
      members.addNullable("taken_back_at", .instant) { shown in
        shown.answer.takenBackAt.map { OffsetInstant($0, in: shown.zone) }
      }
      addMore(&members)
    }
  }
}

extension ReminderOwner {
  /// The number of the item; `nil` for a list.
  var itemID: Int64? { if case .item(let id) = self { id } else { nil } }
}

extension Viewpoint {
  /// An answer as `--json` shows it.
  ///
  /// - Parameter people: the names of people, by number.
  public func json(_ answer: Answer, people: [Int64: String]) -> JSONValue {
    ShownForms.answer.json(ShownAnswer(answer: answer, people: people, zone: planner.floatingZone))
  }

  /// An answer that was just given, with the words of its effect, as in `act --json`.
  public func json(given answer: Answer, people: [Int64: String]) -> JSONValue {
    ShownForms.givenAnswer.json(ShownAnswer(answer: answer, people: people, zone: planner.floatingZone))
  }

  /// An answer in words: `answer 4, 'done' by Anna over link Sat 21 Nov 2026 10:03: checked 'Milk'`.
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
