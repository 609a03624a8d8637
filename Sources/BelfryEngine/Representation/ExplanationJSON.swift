import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// An explanation as JSON shows it.
struct ShownExplanation {
  let explanation: Explanation
  let viewpoint: any Viewpoint

  /// The zone of the item or list.
  fileprivate var zone: Zone { viewpoint.displayZone(explanation.subject.zone) }

  fileprivate var reminders: [ShownReminder] {
    let (zone, floatingZone) = (zone, viewpoint.planner.floatingZone)
    return explanation.reminders.map {
      ShownReminder(explained: $0, people: explanation.people, zone: zone, floatingZone: floatingZone)
    }
  }
}

/// A reminder of an explanation as JSON shows it.
struct ShownReminder {
  let explained: ExplainedReminder
  /// The names of people, by number.
  let people: [Int64: String]
  let zone: Zone
  /// The zone for deliveries and answers.
  let floatingZone: Zone

  fileprivate var deliveries: [ShownDelivery] {
    explained.deliveries.map {
      var shown = ShownDelivery($0.delivery, of: $0.message, in: floatingZone)
      shown.attempts = $0.attempts
      return shown
    }
  }

  fileprivate var answers: [ShownAnswer] {
    explained.answers.map { ShownAnswer(answer: $0, people: people, zone: floatingZone) }
  }
}

extension ShownForms {
  static let explanation = ShownForm<ShownExplanation>("Explanation") { members in
    members.addNullable("item", .item) { shown in
      if case .item(let listing) = shown.explanation.subject { ShownItem(listing, shown.viewpoint) } else { nil }
    }
    members.addNullable("list", .form(list)) { shown in
      if case .list(let summary) = shown.explanation.subject { ShownList(summary, shown.viewpoint) } else { nil }
    }
    members.add("verdict", .text) { $0.explanation.verdict }
    members.add("reasons", .array(of: .text)) { $0.explanation.reasons }
    members.add("urgency", .text) { $0.explanation.urgency.rawValue }
    members.add("reminders", .array(of: .form(explainedReminder))) { $0.reminders }
    members.addNullable("escalation", .form(escalation)) { $0.explanation.escalation }
    members.add("if_unanswered", .array(of: .form(unansweredEscalation))) { shown in
      let zone = shown.zone
      return shown.explanation.unanswered.map { Zoned($0, in: zone) }
    }
  }

  static let explainedReminder = ShownForm<ShownReminder>("ExplainedReminder") { members in
    members.add("reminder_id", .identity) { $0.explained.reminder.id }
    members.add("kind", .text) { $0.explained.reminder.occurrence.kind.name }
    members.add("due_local", .wallTime) { $0.explained.reminder.occurrence.wallTime }
    members.add("alert", .duration, "the time before the due date") { $0.explained.reminder.occurrence.lead }
    members.add("fire_date", .instant) { OffsetInstant($0.explained.reminder.fireDate.date, in: $0.zone) }
    members.add("state", .text) { $0.explained.reminder.state.name }
    members.add("deliveries", .array(of: .form(explainedDelivery))) { $0.deliveries }
    members.add("answers", .array(of: .form(answer))) { $0.answers }
    members.add("people", .array(of: .text)) { $0.explained.step?.people ?? [] }
    members.addNullable("escalation", .text) { $0.explained.step?.escalation }
    members.addNullable("step", .number) { $0.explained.step?.step }
    members.addNullable("ring", .number) { $0.explained.step?.ring }
    members.addNullable("obstacle", .text, "the reason why the next step came at once") { shown in
      shown.explained.step?.obstacleWords
    }
  }

  private static let escalation = ShownForm<ExplainedEscalation> { members in
    members.add("name", .text) { $0.escalation.name }
    members.addNullable("category", .text) { if case .category(let name) = $0.origin { name } else { nil } }
    members.addNullable("lists", .text) { if case .lists(let pattern) = $0.origin { pattern.text } else { nil } }
    members.add("steps", .number) { $0.escalation.steps.count }
    members.addNullable("again_after", .duration) { $0.escalation.againAfter }
    members.add("again", .text) { $0.escalation.again.rawValue }
    members.add("notify_on_answer", .flag) { $0.escalation.tellsAnswer }
    members.addNullable("omitted_nag", .duration, "the nag that it replaces") { $0.nag }
  }
}

// MARK: Without an answer

extension ShownForms {
  static let unansweredEscalation = ShownForm<Zoned<UnansweredEscalation>>("UnansweredEscalation") { members in
    members.add("since", .instant) { $0.instant($0.value.start) }
    members.add("is_under_way", .flag) { $0.value.isUnderWay }
    members.addNullable("ends_at", .instant) { unanswered in unanswered.value.end.map { unanswered.instant($0.date) } }
    members.add("rings", .array(of: .form(ring))) { unanswered in unanswered.value.rings.map { unanswered.part($0) } }
  }

  private static let ring = ShownForm<Zoned<UnansweredRing>> { members in
    members.add("step", .number) { $0.value.place.step }
    members.add("ring", .number) { $0.value.place.ring }
    members.add("at", .instant) { $0.instant($0.value.fireDate.date) }
    members.add("is_made", .flag) { $0.value.isMade }
    members.add("urgency", .text) { $0.value.urgency.rawValue }
    members.add("recipients", .array(of: .form(receiver))) { ring in ring.value.receivers.map { ring.part($0) } }
    members.add("away", .array(of: .form(absentee))) { ring in ring.value.absentees.map { ring.part($0) } }
  }

  private static let receiver = ShownForm<Zoned<UnansweredRing.Receiver>> { members in
    members.add("sink", .text) { $0.value.sink }
    members.addNullable("person", .text) { $0.value.person }
    members.addNullable("recipient", .text) { $0.value.address }
    members.addNullable("held_until", .instant, "the end of quiet hours") { receiver in
      receiver.value.heldUntil.map { receiver.instant($0) }
    }
    members.add("is_omitted", .flag) { $0.value.isOmitted }
    members.addNullable("state", .text) { $0.value.state?.name }
  }

  private static let absentee = ShownForm<Zoned<UnansweredRing.Absentee>> { members in
    members.add("person", .text) { $0.value.person }
    members.add("until", .instant) { $0.instant($0.value.until) }
  }
}

extension Viewpoint {
  /// An explanation as in `--json`.
  public func json(_ explanation: Explanation) -> JSONValue {
    ShownForms.explanation.json(ShownExplanation(explanation: explanation, viewpoint: self))
  }
}
