import BelfryEngine
import BelfryModel
import CivilTime
import RecurrenceRules

extension ScenarioEvent {
  /// Performs a user's action through Belfry.
  ///
  /// - Throws: ``BelfryError`` where Belfry refuses it.
  func perform(on belfry: Belfry) throws {
    switch kind {
    case .add: _ = try belfry.add([draft()], to: ListChoice(list ?? ""))
    case .edit: _ = try belfry.edit(item, edit())
    case .check: _ = try belfry.setChecked(true, [item])
    case .uncheck: _ = try belfry.setChecked(false, [item])
    case .delete: _ = try belfry.delete([item])
    case .snooze: _ = try belfry.snooze(item, until: .after(CalendarDuration(parsing: length ?? "")))
    case .listRemind: _ = try belfry.remindList(list ?? "", listReminder())
    case .listClear: _ = try belfry.clearList(list ?? "")
    case .listDelete: _ = try belfry.deleteList(list ?? "")
    case .press, .takeBack, .off, .on, .sleep, .wake, .step, .zone, .config: break
    }
  }

  private func draft() throws -> ItemDraft {
    ItemDraft(
      text: "an item", due: try time(), zone: itemZone, shouldRemind: remind ?? false, alerts: try leads() ?? [],
      rule: try recurrenceRule(), repeatOrigin: origin.flatMap(Recurrence.Origin.init) ?? .due, nag: try nagging(),
      category: category)
  }

  private func edit() throws -> ItemEdit {
    var edit = ItemEdit()
    edit.text = text
    edit.due = try time().map(When.at)
    if named.contains(.zone) { edit.zone = itemZone }
    edit.shouldRemind = remind
    edit.alerts = try leads()
    if named.contains(.rule) { edit.rule = try recurrenceRule().map(FieldEdit.set) ?? .clear }
    if named.contains(.nag) { edit.nag = try nagging().map(FieldEdit.set) ?? .clear }
    edit.category = category
    edit.list = list.map { ListChoice($0) }
    return edit
  }

  private func listReminder() throws -> ListReminderDraft? {
    try time().map { ListReminderDraft(at: $0, zone: itemZone, rule: try recurrenceRule()) }
  }

  private var itemZone: ItemZone { ItemZone(zone ?? "floating") }

  private func time() throws -> WallTime? {
    try due.map { due in
      guard let time = WallTime(parsing: due) else { throw BelfryError(.internalError, "the scenario has \(due)") }
      return time
    }
  }

  private func recurrenceRule() throws -> RecurrenceRule? { try rule.map { try RecurrenceRule($0) } }

  private func leads() throws -> [CalendarDuration]? {
    try alerts?.map { try CalendarDuration(parsing: $0, allowsZero: true) }
  }

  private func nagging() throws -> CalendarDuration? { try nag.map { try CalendarDuration(parsing: $0) } }
}
