import BelfryModel
import CivilTime
import OrderedJSON

/// A list as JSON shows it.
struct ShownList {
  let summary: ListSummary
  let zone: Zone
  /// The list's own reminder, in its zone.
  let reminder: Zoned<ListReminder>?

  init(_ summary: ListSummary, _ viewpoint: any Viewpoint) {
    (self.summary, zone) = (summary, viewpoint.planner.floatingZone)
    reminder = summary.list.reminder.map { Zoned($0, in: viewpoint.displayZone($0.zone)) }
  }
}

extension ShownType<Zoned<ListReminder>> {
  /// Lists' own reminders, whose members are the fields of their record.
  fileprivate static var listReminder: ShownType {
    ShownType(.named("ListReminder")) { ShownRecord.json(ListReminderRecord($0.value), in: $0.zone) }
  }
}

extension ShownForms {
  static let list = ShownForm<ShownList>("List") { members in
    members.add("id", .number) { $0.summary.list.id }
    members.add("uuid", .identity) { $0.summary.list.uuid }
    members.add("name", .text) { $0.summary.list.name }
    members.addNullable("color", .text, "#rrggbb") { $0.summary.list.color?.hex }
    members.addNullable("icon", .text, "one character") { $0.summary.list.icon?.text }
    members.add("items", .number) { $0.summary.items }
    members.add("remaining", .number, "the items that are not checked") { $0.summary.remaining }
    members.add("overdue", .number, "the unchecked items that are overdue") { $0.summary.overdue }
    members.addNullable("next_fire_date", .instant) { list in
      list.summary.nextFireDate.map { OffsetInstant($0.date, in: list.zone) }
    }
    members.addNullable("reminder", .listReminder) { $0.reminder }
  }
}

extension Viewpoint {
  /// A list as in `--json`.
  public func json(_ summary: ListSummary) -> JSONValue { ShownForms.list.json(ShownList(summary, self)) }
}
