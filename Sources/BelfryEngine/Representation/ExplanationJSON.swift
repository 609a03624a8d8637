import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

extension Viewpoint {
  /// An explanation as in `--json`.
  public func json(_ explanation: Explanation) -> JSONValue {
    let zone = displayZone(explanation.subject.zone)
    let (item, list): (JSONValue, JSONValue) =
      switch explanation.subject {
      case .item(let listing): (json(listing), .null)
      case .list(let summary): (.null, json(summary))
      }
    return [
      "item": item,
      "list": list,
      "verdict": .string(explanation.verdict),
      "reasons": .array(explanation.reasons.map { .string($0) }),
      "reminders": .array(explanation.reminders.map { json($0, zone, explanation.people) }),
      "escalation": explanation.escalation.map(json) ?? .null,
      "if_unanswered": .array(explanation.unanswered.map { json($0, zone) }),
    ]
  }

  private func json(_ explained: ExplainedReminder, _ zone: Zone, _ people: [Int64: String]) -> JSONValue {
    let (reminder, step) = (explained.reminder, explained.step)
    return [
      "reminder_id": .uuid(reminder.id),
      "kind": .string(reminder.occurrence.kind.name),
      "due_local": .string(reminder.occurrence.wallTime.description),
      "alert": .string(reminder.occurrence.lead.iso8601),
      "fire_date": .instant(reminder.fireDate.date, zone),
      "state": .string(reminder.state.name),
      "deliveries": .array(explained.deliveries.map(json)),
      "answers": .array(explained.answers.map { json($0, people: people) }),
      "people": .strings(step?.people ?? []),
      "escalation": .optional(step?.escalation),
      "step": .optional(step?.step),
      "ring": .optional(step?.ring),
      "obstacle": .optional(step?.obstacleWords),
    ]
  }

  private func json(_ explained: ExplainedEscalation) -> JSONValue {
    let escalation = explained.escalation
    let (category, lists): (String?, String?) =
      switch explained.origin {
      case .category(let identifier): (identifier, nil)
      case .lists(let pattern): (nil, pattern.text)
      }
    return [
      "name": .string(escalation.name),
      "category": .optional(category),
      "lists": .optional(lists),
      "steps": .integer(Int64(escalation.steps.count)),
      "again_after": .optional(escalation.againAfter?.iso8601),
      "again": .string(escalation.again.rawValue),
      "notify_on_answer": .bool(escalation.tellsAnswer),
      "omitted_nag": .optional(explained.nag?.iso8601),
    ]
  }

  private func json(_ unanswered: UnansweredEscalation, _ zone: Zone) -> JSONValue {
    [
      "since": .instant(unanswered.start, zone),
      "is_under_way": .bool(unanswered.isUnderWay),
      "ends_at": .instant(unanswered.end?.date, zone),
      "rings": .array(unanswered.rings.map { json($0, zone) }),
    ]
  }

  private func json(_ ring: UnansweredRing, _ zone: Zone) -> JSONValue {
    [
      "step": .integer(Int64(ring.place.step)),
      "ring": .integer(Int64(ring.place.ring)),
      "at": .instant(ring.fireDate.date, zone),
      "is_made": .bool(ring.isMade),
      "recipients": .array(
        ring.receivers.map {
          [
            "sink": .string($0.sink), "person": .optional($0.person), "recipient": .optional($0.address),
            "held_until": .instant($0.heldUntil, zone), "is_omitted": .bool($0.isOmitted),
            "state": .optional($0.state?.name),
          ]
        }),
      "away": .array(
        ring.absentees.map { ["person": .string($0.person), "until": .instant($0.until, zone)] }),
    ]
  }

  // A delivery as in other JSON output, with all its attempts.
  private func json(_ explained: ExplainedDelivery) -> JSONValue {
    let zone = planner.floatingZone
    var object = json(explained.delivery, of: explained.message).objectValue ?? [:]
    object.append(
      "history",
      .array(
        explained.attempts.map {
          [
            "started_at": .instant($0.startedAt, zone), "outcome": .string($0.outcome.name),
            "words": .optional($0.words),
          ]
        }))
    return .object(object)
  }
}
