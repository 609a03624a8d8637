import BelfryModel
import CivilTime
import FoundationEssentials

extension SQLTransaction {
  private static let columns = """
    list.id, list.uuid, list.name, list.remind_local, list.remind_at, list.remind_zone, list.remind_repeat,
    list.remind_repeat_start, list.remind_message, list.remind_category, list.created_at, list.updated_at,
    list.unknown, list.remind_unknown, list.color, list.icon, list.position
    """
  private static let order = "coalesce(list.position, list.id), list.id"
  private static let byNumber = "SELECT \(columns) FROM list WHERE id = ?"
  private static let byName = "SELECT \(columns) FROM list WHERE name_key = ?"

  package func lists() throws -> [Checklist] {
    try rows("SELECT \(Self.columns) FROM list ORDER BY \(Self.order)", make: list)
  }

  package func list(id: Int64) throws -> Checklist? { try firstRow(Self.byNumber, id, make: list) }

  package func list(named name: String) throws -> Checklist? {
    try firstRow(Self.byName, Checklist.nameKey(name), make: list)
  }

  package func list(uuid: UUID) throws -> Checklist? {
    try firstRow("SELECT \(Self.columns) FROM list WHERE uuid = ?", uuid, make: list)
  }

  package func listSummaries(of id: Int64?, now: Date) throws -> [ListSummary] {
    guard let id else { return try rows(allSummaries, now.storedBound, now.storedBound, make: summary) }
    return try rows(oneSummary, now.storedBound, now.storedBound, id, id, id, make: summary)
  }

  private func summary(_ row: SQLRow) throws -> ListSummary {
    try ListSummary(
      list: list(row), items: row.at(17), remaining: row.at(18), overdue: row.at(19),
      nextFireDate: (row.at(20) as Int64?).map(FireDate.init(stored:)))
  }

  /// The number of to-dos that meet all conditions, as an expression that binds their values twice.
  ///
  /// Events are counted apart, so that each count reads only an index.
  ///
  /// - Parameter more: conditions that all events meet, by which their index is found.
  static func todoCount(_ conditions: [String], ofEvents more: [String] = []) -> String {
    let all = conditions.joined(separator: " AND ")
    let events = (conditions + ["is_event"] + more).joined(separator: " AND ")
    return "(SELECT count(*) FROM item WHERE \(all)) - (SELECT count(*) FROM item WHERE \(events))"
  }

  // The number of to-dos of a list.
  private func todos(_ conditions: String...) -> String { Self.todoCount(["list_id = list.id"] + conditions) }

  private var allSummaries: String {
    """
    SELECT \(Self.columns), \(todos()), \(todos("is_checked = \(dialect.no)")),
      coalesce(late.count, 0) - (SELECT count(*) FROM item
        WHERE list_id = list.id AND is_event AND is_checked = \(dialect.no) AND due_at < ?),
      next.fire_date
    FROM list
      LEFT JOIN (SELECT list_id, count(*) AS count FROM item
        WHERE is_checked = \(dialect.no) AND due_at < ? GROUP BY list_id) AS late ON late.list_id = list.id
      LEFT JOIN (SELECT list_id, min(fire_date) AS fire_date FROM (
        SELECT item.list_id, fire_date FROM reminder JOIN item ON item.id = owner_id
          WHERE state = 0 AND owner_is_list = FALSE
        UNION ALL SELECT owner_id, fire_date FROM reminder WHERE state = 0 AND owner_is_list = TRUE
      ) AS scheduled GROUP BY list_id) AS next ON next.list_id = list.id
    ORDER BY \(Self.order)
    """
  }

  // It does not read the items of other lists, of which there may be many more, since SQLite keeps the order of a CROSS
  // JOIN.
  private var oneSummary: String {
    """
    SELECT \(Self.columns), \(todos()), \(todos("is_checked = \(dialect.no)")),
      \(todos("is_checked = \(dialect.no)", "due_at < ?")),
      (SELECT min(fire_date) FROM (
        SELECT fire_date FROM item CROSS JOIN reminder
          WHERE list_id = ? AND owner_is_list = FALSE AND owner_id = item.id AND state = 0
        UNION ALL SELECT fire_date FROM reminder WHERE owner_is_list = TRUE AND owner_id = ? AND state = 0
      ) AS scheduled)
    FROM list WHERE list.id = ?
    """
  }

  package func addList(name: String, uuid: UUID, at now: Date) throws -> Checklist {
    let id = try take(.list)
    let list = Checklist(id: id, uuid: uuid, name: name, createdAt: now, updatedAt: now)
    try execute(
      "INSERT INTO list (id, uuid, name, name_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)", id, uuid, name,
      Checklist.nameKey(name), now.stored, now.stored)
    return list
  }

  package func update(_ list: Checklist) throws {
    let reminder = list.reminder
    try execute(
      """
      UPDATE list SET name = ?, name_key = ?, remind_local = ?, remind_at = ?, remind_zone = ?, remind_repeat = ?,
        remind_repeat_start = ?, remind_message = ?,
        remind_category = ?, updated_at = ?, unknown = ?, remind_unknown = ?, color = ?, icon = ?, position = ?
      WHERE id = ?
      """,
      list.name, Checklist.nameKey(list.name), reminder?.due.local.minutesSinceEpoch,
      reminder?.due.instant.secondsSinceEpoch, reminder?.zone.stored, reminder?.recurrence?.rule.description,
      reminder?.recurrence?.start.minutesSinceEpoch, reminder?.message, reminder?.category, list.updatedAt.stored,
      list.unknown?.object, reminder?.unknown?.object, list.color?.hex, list.icon?.text,
      list.position == list.id ? nil : list.position, list.id)
  }

  package func deleteList(id: Int64) throws {
    try execute("DELETE FROM list WHERE id = ?", id)
  }

  private func list(_ row: SQLRow) throws -> Checklist {
    var reminder: ListReminder?
    if let local = try row.at(3) as Int?, let instant = try row.at(4) as Int64? {
      reminder = try ListReminder(
        due: DueDate(local: WallTime(minutesSinceEpoch: local), instant: FireDate(stored: instant)),
        zone: ItemZone(stored: row.at(5)),
        recurrence: Recurrence(stored: row.at(6), start: row.at(7), isFromDone: false),
        message: row.at(8), category: row.at(9))
      reminder?.unknown = try UnknownFields(stored: row.at(13), of: ListReminderRecord.form.kind)
    }
    var list = try Checklist(
      id: row.at(0), uuid: row.at(1), name: row.at(2), reminder: reminder,
      color: (row.at(14) as String?).map(ListColor.init(stored:)),
      icon: (row.at(15) as String?).map(ListIcon.init(stored:)), position: row.at(16),
      createdAt: Date(stored: row.at(10)),
      updatedAt: Date(stored: row.at(11)))
    list.unknown = try UnknownFields(stored: row.at(12), of: ListRecord.form.kind)
    return list
  }
}

extension ItemZone {
  /// The column's value: the zone's name, NULL for floating.
  var stored: String? {
    switch self {
    case .floating: nil
    case .fixed(let identifier): identifier
    }
  }

  init(stored: String?) { self = stored.map(ItemZone.fixed) ?? .floating }
}

extension ListColor {
  init(stored: String) throws {
    do { try self.init(parsing: stored) } catch { throw StoredValueFault(error.message) }
  }
}

extension ListIcon {
  init(stored: String) throws {
    do { try self.init(parsing: stored) } catch { throw StoredValueFault(error.message) }
  }
}
