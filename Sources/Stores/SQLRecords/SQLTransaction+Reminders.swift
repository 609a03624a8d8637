import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

extension SQLTransaction {
  private static let columns = """
    reminder.owner_is_list, reminder.owner_id, reminder.wall_time, reminder.lead_days, reminder.lead_minutes,
    reminder.kind, reminder.serial, reminder.uuid, reminder.fire_date, reminder.state, reminder.changed_at,
    reminder.unknown
    """

  // Without a LIMIT, since rows that are left out must not hide those after them.
  private static let due = """
    SELECT \(columns) FROM reminder
    WHERE state = 0 AND fire_date <= ? ORDER BY fire_date, owner_is_list, owner_id, wall_time
    """

  /// The queries for a reminder by its identifier: first among those that are not scheduled, which have an index, then
  /// among the scheduled. An index of those would make each new reminder write to a random page; the index by fire date
  /// would only slow this query down.
  package static let remindersByIdentity = [
    "SELECT \(columns) FROM reminder WHERE uuid = ? AND state <> 0",
    "SELECT \(columns) FROM reminder WHERE uuid = ? AND +state = 0",
  ]

  package func reminders(of owner: ReminderOwner, at wallTime: WallTime?, state: Reminder.State?) throws -> [Reminder] {
    var conditions = "owner_is_list = ? AND owner_id = ?"
    var arguments: SQLArguments = [owner.isList, owner.number]
    if let wallTime {
      conditions += " AND wall_time = ?"
      arguments += [wallTime.minutesSinceEpoch]
    }
    // A literal, so that the partial index of one state can be used.
    if let state { conditions += " AND state = \(state.rawValue)" }
    return try rows("SELECT \(Self.columns) FROM reminder WHERE \(conditions)", arguments, make: reminder)
  }

  package func reminder(id: UUID) throws -> Reminder? {
    for sql in Self.remindersByIdentity {
      if let found = try firstRow(sql, id, make: reminder) { return found }
    }
    return nil
  }

  package func hasEndedReminder(after instant: Date) throws -> Bool {
    try firstRow("SELECT 1 FROM reminder WHERE state <> 0 AND changed_at > ? LIMIT 1", instant.stored) { _ in } != nil
  }

  // Not by state, which has no index.
  package func missedReminders(since instant: Date) throws -> [Reminder] {
    let sql = """
      SELECT \(Self.columns) FROM reminder
      WHERE state <> 0 AND changed_at >= ? AND +state = \(Reminder.State.missed.rawValue) ORDER BY fire_date, owner_id
      """
    return try rows(sql, instant.stored, make: reminder)
  }

  func visitReminders(_ body: (Reminder) throws -> Void) throws {
    try forEachRow("SELECT \(Self.columns) FROM reminder") { try body(reminder($0)) }
  }

  package func visitPending(limit: Int?, _ body: (PendingReminder) throws -> VisitResult) throws {
    try visitRows(
      """
      SELECT \(Self.columns), coalesce(item_list.name, own_list.name) AS list,
        CASE owner_is_list WHEN FALSE THEN item.category ELSE own_list.remind_category END AS category,
        coalesce(item.text, own_list.remind_message, own_list.name) AS text,
        CASE owner_is_list WHEN FALSE THEN item.time_zone ELSE own_list.remind_zone END AS time_zone
      FROM reminder
        LEFT JOIN item ON owner_is_list = FALSE AND item.id = owner_id
        LEFT JOIN list AS item_list ON item_list.id = item.list_id
        LEFT JOIN list AS own_list ON owner_is_list = TRUE AND own_list.id = owner_id
      WHERE state = 0 AND (item.id IS NOT NULL OR own_list.id IS NOT NULL)
      ORDER BY reminder.fire_date, owner_is_list, owner_id, wall_time LIMIT ?
      """, limit ?? .max
    ) { row in
      try body(
        PendingReminder(
          reminder: reminder(row), listName: row.at(12), category: row.at(13), text: row.at(14),
          zone: ItemZone(stored: row.at(15))))
    }
  }

  package func snoozes() throws -> [Reminder] {
    try rows("SELECT \(Self.columns) FROM reminder WHERE state = 0 AND kind = 1", make: reminder)
  }

  package func dueReminders(at now: Date, limit: Int) throws -> [Reminder] {
    var due: [Reminder] = []
    guard limit > 0 else { return due }
    try visitRows(Self.due, now.stored) { row in
      due.append(try reminder(row))
      return due.count < limit ? .next : .stop
    }
    return due
  }

  package func hasScheduled(_ owner: ReminderOwner, after earliest: FireDate, through latest: Date) throws -> Bool {
    try firstRow(
      """
      SELECT 1 FROM reminder
      WHERE owner_is_list = ? AND owner_id = ? AND state = 0 AND kind <> 3 AND fire_date > ? AND fire_date <= ? LIMIT 1
      """, owner.isList, owner.number, earliest.secondsSinceEpoch, latest.stored
    ) { _ in } != nil
  }

  package func put(_ reminder: Reminder) throws {
    try execute(
      """
      INSERT INTO reminder (
        owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, fire_date, state, changed_at,
        unknown)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial) DO UPDATE
        SET fire_date = excluded.fire_date, state = excluded.state, changed_at = excluded.changed_at,
          unknown = excluded.unknown
      """, reminder)
  }

  private func reminder(_ row: SQLRow) throws -> Reminder {
    guard let state = Reminder.State(rawValue: try row.at(9)) else {
      throw StoredValueFault("an unknown state", 9)
    }
    let key = try OccurrenceKey(row)
    let occurrence = try key.occurrence
    // The row's key must match: otherwise updates would go to another row, and this one would stay due forever.
    guard OccurrenceKey(occurrence) == key else {
      throw StoredValueFault("an invalid occurrence: \(key.columns)")
    }
    var reminder = try Reminder(
      id: row.at(7), occurrence: occurrence, fireDate: FireDate(stored: row.at(8)), state: state,
      changedAt: Date(stored: row.at(10)))
    reminder.unknown = try UnknownFields(stored: row.at(11), of: ReminderRecord.form.kind)
    return reminder
  }
}

extension Reminder: SQLBindable {
  /// Binds every column of a reminder's row, in the table's order.
  package func bind(with binder: inout SQLBinder) {
    binder.add(OccurrenceKey(occurrence))
    binder.add(id)
    binder.add(fireDate.secondsSinceEpoch)
    binder.add(state.rawValue)
    binder.add(changedAt.stored)
    binder.add(unknown?.object)
  }
}

/// The columns of the primary key.
private struct OccurrenceKey: Equatable, SQLBindable {
  let ownerIsList: Int64
  let ownerID: Int64
  let wallTime: Int64
  let leadDays: Int64
  let leadMinutes: Int64
  let kind: Int64
  let serial: Int64

  init(_ row: SQLRow) throws {
    try (ownerIsList, ownerID, wallTime) = (row.at(0), row.at(1), row.at(2))
    try (leadDays, leadMinutes) = (row.at(3), row.at(4))
    try (kind, serial) = (row.at(5), row.at(6))
  }

  init(_ occurrence: Occurrence) {
    (ownerIsList, ownerID) = (occurrence.owner.isList ? 1 : 0, occurrence.owner.number)
    wallTime = Int64(occurrence.wallTime.minutesSinceEpoch)
    (leadDays, leadMinutes) = (Int64(occurrence.lead.days), Int64(occurrence.lead.minutes))
    (kind, serial) = occurrence.kind.stored
  }

  /// The occurrence; values out of range become the nearest valid ones.
  var occurrence: Occurrence {
    get throws {
      try Occurrence(
        owner: ReminderOwner(isList: ownerIsList != 0, number: ownerID),
        wallTime: WallTime(minutesSinceEpoch: Int(wallTime)),
        lead: CalendarDuration(days: Int(leadDays), minutes: Int(leadMinutes)),
        kind: Occurrence.Kind(stored: kind, serial: serial))
    }
  }

  var columns: [Int64] { [ownerIsList, ownerID, wallTime, leadDays, leadMinutes, kind, serial] }

  func bind(with binder: inout SQLBinder) {
    binder.add(ownerIsList)
    binder.add(ownerID)
    binder.add(wallTime)
    binder.add(leadDays)
    binder.add(leadMinutes)
    binder.add(kind)
    binder.add(serial)
  }
}

extension Occurrence.Kind {
  /// The columns that distinguish a snooze, nag or escalation from the occurrence itself.
  fileprivate var stored: (kind: Int64, serial: Int64) {
    switch self {
    case .planned: (0, 0)
    case .snooze(let minute): (1, Int64(minute))
    case .nag(let count): (2, Int64(count))
    case .escalation(let place): (3, Int64(place.number))
    }
  }

  // The serial number is incremented later, so the largest integers are refused.
  fileprivate init(stored kind: Int64, serial: Int64) throws {
    guard (0...1 << 40).contains(serial) else { throw StoredValueFault("an invalid ring number: \(serial)") }
    let serial = Int(serial)
    switch kind {
    case 0: self = .planned
    case 1: self = .snooze(serial)
    case 2: self = .nag(serial)
    case 3:
      guard let place = EscalationPlace(number: serial) else {
        throw StoredValueFault("an invalid step and ring of an escalation: \(serial)")
      }
      self = .escalation(place)
    default: throw StoredValueFault("an unknown kind of reminder: \(kind)")
    }
  }
}
