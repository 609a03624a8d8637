import BelfryCore
import Foundation
import GRDB

extension SQLiteTransaction {
  private static let columns = """
    reminder.owner_is_list, reminder.owner_id, reminder.wall_time, reminder.lead_days, reminder.lead_minutes,
    reminder.uuid, reminder.fire_date, reminder.state, reminder.changed_at
    """

  func reminders(of owner: ReminderOwner) throws -> [Reminder] {
    try rows(
      "SELECT \(Self.columns) FROM reminder WHERE owner_is_list = ? AND owner_id = ?", [owner.isList, owner.number],
      reminder)
  }

  func reminder(id: UUID) throws -> Reminder? {
    try firstRow("SELECT \(Self.columns) FROM reminder WHERE uuid = ?", [id.stored], reminder)
  }

  func visitPending(limit: Int?, _ body: (PendingReminder) throws -> Void) throws {
    try forEachRow(
      """
      SELECT \(Self.columns), coalesce(item_list.name, own_list.name),
        CASE owner_is_list WHEN 0 THEN item.category ELSE own_list.remind_category END,
        coalesce(item.text, own_list.remind_message, own_list.name),
        CASE owner_is_list WHEN 0 THEN item.time_zone ELSE own_list.remind_zone END
      FROM reminder
        LEFT JOIN item ON owner_is_list = 0 AND item.id = owner_id
        LEFT JOIN list AS item_list ON item_list.id = item.list_id
        LEFT JOIN list AS own_list ON owner_is_list = 1 AND own_list.id = owner_id
      WHERE state = 0 ORDER BY reminder.fire_date, reminder.uuid LIMIT ?
      """, [limit ?? -1]
    ) { row in
      try body(
        PendingReminder(
          reminder: reminder(row), listName: row.at(9), category: row.at(10), text: row.at(11), zone: ItemZone(stored: row.at(12))))
    }
  }

  func dueReminders(at now: Date, limit: Int) throws -> [Reminder] {
    try rows(
      """
      SELECT \(Self.columns) FROM reminder WHERE state = 0 AND fire_date <= ? ORDER BY fire_date, uuid LIMIT ?
      """, [now.stored, limit], reminder)
  }

  func hasScheduled(_ owner: ReminderOwner, after earliest: FireDate, through latest: Date) throws -> Bool {
    try integer(
      """
      SELECT EXISTS (SELECT 1 FROM reminder
        WHERE owner_is_list = ? AND owner_id = ? AND state = 0 AND fire_date > ? AND fire_date <= ?)
      """, [owner.isList, owner.number, earliest.secondsSinceEpoch, latest.stored]) == 1
  }

  func put(_ reminder: Reminder) throws {
    let occurrence = reminder.occurrence
    try execute(
      """
      INSERT INTO reminder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner_is_list, owner_id, wall_time, lead_days, lead_minutes) DO UPDATE
        SET fire_date = excluded.fire_date, state = excluded.state, changed_at = excluded.changed_at
      """,
      [
        occurrence.owner.isList, occurrence.owner.number, occurrence.wallTime.minutesSinceEpoch, occurrence.lead.days,
        occurrence.lead.minutes, reminder.id.stored, reminder.fireDate.secondsSinceEpoch, reminder.state.rawValue,
        reminder.changedAt.stored,
      ])
  }

  private func reminder(_ row: Row) throws -> Reminder {
    guard let state = Reminder.State(rawValue: try row.at(7)) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a stored reminder has an unknown state")
    }
    return try Reminder(
      id: UUID(stored: row.at(5)),
      occurrence: Occurrence(
        owner: ReminderOwner(isList: row.at(0), number: row.at(1)), wallTime: WallTime(minutesSinceEpoch: row.at(2)),
        lead: CalendarDuration(days: row.at(3), minutes: row.at(4))),
      fireDate: FireDate(stored: row.at(6)), state: state, changedAt: Date(stored: row.at(8)))
  }
}
