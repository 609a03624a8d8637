import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The people and sinks that a reminder of a kind reaches, and its place in an escalation.
private struct ShownReach {
  let reach: Reach
  let kind: Occurrence.Kind
}

/// The item or list of a reminder to come, with its text.
private struct ShownOwner {
  let owner: ReminderOwner
  let listName: String
  let text: String

  init(_ reminder: some ComingReminder) {
    (owner, listName, text) = (reminder.owner, reminder.listName, reminder.text)
  }
}

/// A scheduled reminder with whom it reaches, as JSON shows it.
struct ShownPendingReminder {
  let pending: PendingReminder
  let reach: Reach
  let zone: Zone
}

extension ShownForms {
  static let pendingReminder = ShownForm<ShownPendingReminder>("PendingReminder") { members in
    members.add("reminder_id", .identity) { $0.pending.reminder.id }
    members.include(owner) { ShownOwner($0.pending) }
    members.add("fire_date", .instant) { OffsetInstant($0.pending.fireDate.date, in: $0.zone) }
    members.include(reach) { ShownReach(reach: $0.reach, kind: $0.pending.occurrence.kind) }
  }

  static let plannedReminder = ShownForm<Zoned<ForecastEntry<PreviewedReminder>>>("PlannedReminder") { members in
    members.add("fire_date", .instant) { $0.instant($0.value.reminder.fireDate.date) }
    members.include(owner) { ShownOwner($0.value.reminder) }
    members.include(reach) { ShownReach(reach: $0.value.reach, kind: $0.value.reminder.occurrence.kind) }
    members.add("steps", .array(of: .form(step)), "the steps that follow if nobody answers") { entry in
      entry.value.steps.map { entry.part($0) }
    }
  }

  private static let owner = ShownForm<ShownOwner> { members in
    members.addNullable("item_id", .number) { $0.owner.itemID }
    members.add("list", .text) { $0.listName }
    members.add("text", .text) { $0.text }
  }

  private static let reach = ShownForm<ShownReach> { members in
    members.add("sinks", .array(of: .text)) { $0.reach.sinks }
    members.add("people", .array(of: .text)) { $0.reach.people }
    members.add("kind", .text) { $0.kind.name }
    members.addNullable("escalation", .text) { $0.reach.escalation?.name }
    members.addNullable("step", .number) { $0.reach.place?.step }
    members.addNullable("ring", .number) { $0.reach.place?.ring }
  }

  private static let step = ShownForm<Zoned<ComingStep>> { members in
    members.add("step", .number) { $0.value.step }
    members.add("at", .instant) { $0.instant($0.value.at.date) }
    members.add("to", .array(of: .text)) { $0.value.to }
    members.addNullable("every", .duration) { $0.value.every }
    members.add("times", .number) { $0.value.times }
  }
}

extension Viewpoint {
  /// A scheduled reminder as in `--json`, with whom it reaches.
  public func json(_ pending: PendingReminder, _ reach: Reach) -> JSONValue {
    let zone = displayZone(pending.zone)
    return ShownForms.pendingReminder.json(ShownPendingReminder(pending: pending, reach: reach, zone: zone))
  }

  /// A future reminder of a preview as in `--json`, with whom it reaches and the steps that follow it.
  public func json(_ entry: ForecastEntry<PreviewedReminder>) -> JSONValue {
    ShownForms.plannedReminder.json(Zoned(entry, in: displayZone(entry.reminder.zone)))
  }
}
