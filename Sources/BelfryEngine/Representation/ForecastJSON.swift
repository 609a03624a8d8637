import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

extension Viewpoint {
  /// A scheduled reminder as in `--json`, with whom it reaches.
  public func json(_ pending: PendingReminder, _ reach: Reach) -> JSONValue {
    var object: JSONObject = [
      "reminder_id": .uuid(pending.reminder.id),
      "item_id": pending.owner.itemID,
      "list": .string(pending.listName),
      "text": .string(pending.text),
      "fire_date": .instant(pending.fireDate.date, displayZone(pending.zone)),
    ]
    object.append(reach, pending.occurrence.kind)
    return .object(object)
  }

  /// A future reminder of a preview as in `--json`, with whom it reaches and the steps that follow it.
  public func json(_ entry: ForecastEntry<PreviewedReminder>) -> JSONValue {
    let previewed = entry.reminder
    let zone = displayZone(previewed.zone)
    var object: JSONObject = [
      "fire_date": .instant(previewed.fireDate.date, zone),
      "item_id": previewed.owner.itemID,
      "list": .string(previewed.listName),
      "text": .string(previewed.text),
    ]
    object.append(entry.reach, previewed.occurrence.kind)
    object.append("steps", .array(entry.steps.map { json($0, zone) }))
    return .object(object)
  }

  private func json(_ step: ComingStep, _ zone: Zone) -> JSONValue {
    [
      "step": .integer(Int64(step.step)),
      "at": .instant(step.at.date, zone),
      "to": .strings(step.to),
      "every": .optional(step.every?.iso8601),
      "times": .integer(Int64(step.times)),
    ]
  }
}

extension JSONObject {
  /// Adds the sinks and people whom a reminder reaches, its kind and its place in an escalation.
  fileprivate mutating func append(_ reach: Reach, _ kind: Occurrence.Kind) {
    append("sinks", .strings(reach.sinks))
    append("people", .strings(reach.people))
    append("kind", .string(kind.name))
    append("escalation", .optional(reach.escalation?.name))
    append("step", .optional(reach.place?.step))
    append("ring", .optional(reach.place?.ring))
  }
}

extension ReminderOwner {
  /// The number of the item; `null` for a list.
  fileprivate var itemID: JSONValue { if case .item(let id) = self { .integer(id) } else { .null } }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  static func optional(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
}
