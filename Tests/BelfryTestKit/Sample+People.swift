import BelfryModel
import CivilTime
import Foundation

extension Sample {
  /// People with the lowest and a high number.
  static let everyPerson = [
    KnownPerson(number: 1, name: "anna"), KnownPerson(number: 3, name: "cafe\u{301} «\u{1D11E}» <&> ]]>"),
    KnownPerson(number: 698, name: "caf\u{e9} «\u{1D11E}» <&> ]]>"),
  ]

  /// A note of a message in an escalation.
  public static func escalation(step: Int = 2, asked: [String] = ["anna", "caf\u{e9} ✉"]) -> EscalationNote {
    EscalationNote(
      name: "home <&>", step: step, of: 3, ring: 2, since: OffsetInstant(now, in: .utc), asked: asked,
      people: Array(asked.prefix(1)), tellsAnswer: step == 2)
  }

  /// A record with the additions of escalations: beside each nag a step of an escalation, beside the message to
  /// people's mail one to a single person, and one item with a key.
  static func escalating(_ record: StoreRecord) throws -> [StoreRecord] {
    switch record {
    case .counters(var counters):
      counters.nextPersonNumber = 700
      return [.counters(counters)]
    case .item(var item) where item.id == 40:
      item.key = "disk caf\u{e9} cafe\u{301} <&> \"]]>\""
      return [.item(item)]
    case .reminder(let reminder) where reminder.occurrence.kind.isNag:
      return [record, .reminder(step(beside: reminder))]
    case .message(let message) where message.sink == "mail": return [record, .message(toOne(message))]
    default: return [record]
    }
  }

  private static func step(beside nag: Reminder) -> Reminder {
    let owner = nag.occurrence.owner == .item(40) ? uuid("item 40") : uuid("list 7")
    let occurrence = Occurrence(
      owner: nag.occurrence.owner, wallTime: nag.occurrence.wallTime, lead: nag.occurrence.lead,
      kind: .escalation(EscalationPlace(run: 2, step: 20, ring: 100)))
    return Reminder(
      id: occurrence.reminderID(ownerUUID: owner), occurrence: occurrence, fireDate: nag.fireDate, state: nag.state,
      changedAt: nag.changedAt)
  }

  private static func toOne(_ message: Message) -> Message {
    let contents = message.contents.map { content in
      ReminderContent(
        reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
        category: content.category, actions: content.actions, timeZone: "UTC", escalation: escalation())
    }
    return Message(
      id: uuid("message 3"), sink: message.sink, person: KnownPerson.highestNumber, contents: contents,
      createdAt: message.createdAt + 120)
  }
}
