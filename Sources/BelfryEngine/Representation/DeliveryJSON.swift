import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// A delivery with its message, its answers and attempts as JSON shows them.
struct ShownDelivery {
  let delivery: Delivery
  let kind: Message.Kind
  let reminders: Int
  /// The first reminder of the message.
  let content: ReminderContent?
  let zone: Zone
  var answers: [ShownAnswer] = []
  var attempts: [AttemptRecord] = []

  init(_ delivery: Delivery, of message: Message, in zone: Zone) {
    (self.delivery, kind, self.zone) = (delivery, message.kind, zone)
    (reminders, content) = (message.contents.count, message.contents.first)
  }
}

extension ShownForms {
  static let delivery = deliveryForm("Delivery") { _ in }

  static let answeredDelivery = deliveryForm("AnsweredDelivery") { members in
    members.add("answers", .array(of: .form(answer))) { $0.answers }
  }

  static let explainedDelivery = deliveryForm("ExplainedDelivery") { members in
    members.add("history", .array(of: .form(attempt)), "every attempt, oldest first") { shown in
      shown.attempts.map { Zoned($0, in: shown.zone) }
    }
  }

  private static func deliveryForm(
    _ name: String, and addMore: (inout ShownMembers<ShownDelivery>) -> Void
  ) -> ShownForm<ShownDelivery> {
    ShownForm(name) { members in
      members.add("id", .number) { $0.delivery.id }
      members.add("message_id", .identity) { $0.delivery.messageID }
      members.addNullable("reminder_id", .identity) { $0.content?.reminderID }
      members.addNullable("item_id", .number) { $0.content?.item?.id }
      members.addNullable("list", .text) { $0.content?.listName }
      members.addNullable("text", .text) { $0.content?.text }
      members.add("sink", .text) { $0.delivery.sink }
      members.addNullable("recipient", .text) { $0.delivery.recipient }
      members.add("state", .word(Delivery.State.self) { $0.name }) { $0.delivery.state }
      members.addNullable("fire_date", .instant) { $0.content?.fireDate }
      members.add("attempts", .number) { $0.delivery.attempts }
      members.addNullable("next_attempt_at", .instant) { shown in
        shown.delivery.nextAttemptAt.map { OffsetInstant($0, in: shown.zone) }
      }
      members.addNullable("delivered_at", .instant) { shown in
        guard shown.delivery.state == .delivered else { return nil }
        return shown.delivery.closedAt.map { OffsetInstant($0, in: shown.zone) }
      }
      members.addNullable("late_seconds", .number) { $0.delivery.lateSeconds }
      members.addNullable("last_error", .text) { $0.delivery.lastError }
      members.add("type", .text, "the type of its message") { $0.kind.rawValue }
      members.add("reminder_count", .number, "the reminders in its message") { $0.reminders }
      addMore(&members)
    }
  }

  private static let attempt = ShownForm<Zoned<AttemptRecord>> { members in
    members.add("started_at", .instant) { $0.instant($0.value.startedAt) }
    members.add("outcome", .text) { $0.value.outcome.name }
    members.addNullable("words", .text) { $0.value.words }
  }
}

extension Viewpoint {
  /// A delivery as in `--json`.
  public func json(_ delivery: Delivery, of message: Message) -> JSONValue {
    ShownForms.delivery.json(ShownDelivery(delivery, of: message, in: planner.floatingZone))
  }

  /// A delivery with the answers to its message, as in `deliveries --json`.
  ///
  /// - Parameter people: the names of people, by number.
  public func json(
    _ delivery: Delivery, of message: Message, answers: [Answer], people: [Int64: String]
  ) -> JSONValue {
    let zone = planner.floatingZone
    var shown = ShownDelivery(delivery, of: message, in: zone)
    shown.answers = answers.map { ShownAnswer(answer: $0, people: people, zone: zone) }
    return ShownForms.answeredDelivery.json(shown)
  }
}
