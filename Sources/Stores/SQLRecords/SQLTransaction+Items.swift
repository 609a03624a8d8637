import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON
import RecurrenceRules

extension SQLTransaction {
  private static let columns = """
    item.id AS id, item.uuid, item.list_id, item.position AS position, item.text, item.notes, item.is_checked, item.due_local,
    item.due_at, item.time_zone, item.should_remind, item.alerts, item.repeat, item.repeat_start,
    item.repeat_from_done, item.last_checked_due, item.last_checked_start, item.nag, item.category, item.created_at,
    item.updated_at, item.checked_at, item.properties, item.unknown, item.key
    """
  private static let listing = """
    SELECT \(columns), list.name,
      (SELECT min(fire_date) FROM reminder WHERE owner_is_list = FALSE AND owner_id = item.id AND state = 0)
    FROM item JOIN list ON list.id = item.list_id
    """
  private static let byNumber = "\(listing) WHERE item.id = ?"
  private static let byIdentity = "\(listing) WHERE item.uuid = ?"
  private static let byKey = "\(listing) WHERE item.key = ?"

  package func item(id: Int64) throws -> ItemListing? { try firstRow(Self.byNumber, id, make: listing) }

  package func item(uuid: UUID) throws -> ItemListing? { try firstRow(Self.byIdentity, uuid, make: listing) }

  package func item(key: String) throws -> ItemListing? { try firstRow(Self.byKey, key, make: listing) }

  package func visitItems(_ query: ItemQuery, _ body: (ItemListing) throws -> Void) throws {
    var left = query.limit ?? Int.max
    func visit(_ selection: (sql: String, arguments: SQLArguments)) throws {
      guard left > 0 else { return }
      try forEachRow("\(selection.sql) LIMIT ?", selection.arguments, left) { row in
        left -= 1
        try body(listing(row))
      }
    }
    switch query.order {
    case .due:
      // Dated items first, each half in the order of an index: sorting all would read rows that are not returned.
      for isDated in query.dueBefore == nil ? [true, false] : [true] {
        let due = "item.due_at IS \(isDated ? "NOT " : "")NULL"
        let selection = selection(query, besides: [due])
        try visit((selection.sql + " ORDER BY item.due_at, item.list_id, item.position", selection.arguments))
      }
    case .place:
      // The checked and the unchecked items of each list, each in the order of an index, which the database merges.
      let halves: [ItemQuery.Checked] = query.checked == .any ? [.unchecked, .checked] : [query.checked]
      for listID in try query.listID.map({ [$0] }) ?? lists().map(\.id) {
        var query = query
        query.listID = listID
        let selections = halves.map { half in
          query.checked = half
          return selection(query, besides: [])
        }
        try visit(
          (
            selections.map(\.sql).joined(separator: " UNION ALL ") + " ORDER BY position, id",
            selections.map(\.arguments).reduce([], +)
          ))
      }
    }
  }

  // The selection, apart from order and limit.
  private func selection(
    _ query: ItemQuery, besides conditions: [String]
  ) -> (sql: String, arguments: SQLArguments) {
    var conditions = conditions
    var arguments = SQLArguments()
    switch query.checked {
    case .unchecked: conditions.append("item.is_checked = \(dialect.no)")
    case .checked: conditions.append("item.is_checked = TRUE")
    case .any: break
    }
    if query.isRepeating { conditions.append("item.repeat IS NOT NULL") }
    if let listID = query.listID {
      conditions.append("item.list_id = ?")
      arguments += [listID]
    }
    if let dueBefore = query.dueBefore {
      conditions.append("item.due_at < ?")
      arguments += [dueBefore.storedBound]
    }
    return ("\(Self.listing) WHERE \(conditions.joined(separator: " AND "))", arguments)
  }

  package func uncheckedCount(listID: Int64?, dueBefore: Date?) throws -> Int {
    switch (listID, dueBefore) {
    case (nil, nil): Int(try integer("SELECT count(*) FROM item WHERE is_checked = \(dialect.no)"))
    case (let listID?, nil):
      Int(try integer("SELECT count(*) FROM item WHERE list_id = ? AND is_checked = \(dialect.no)", listID))
    case (nil, let date?):
      Int(try integer("SELECT count(*) FROM item WHERE is_checked = \(dialect.no) AND due_at < ?", date.storedBound))
    case (let listID?, let date?):
      Int(
        try integer(
          "SELECT count(*) FROM item WHERE list_id = ? AND is_checked = \(dialect.no) AND due_at < ?", listID,
          date.storedBound))
    }
  }

  package func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item {
    // An item that cannot be added uses up no number.
    let id = try preferredID ?? max(1, nextItemID())
    let position = try endPosition(listID: listID)
    let item = try make(id, position)
    try insert(item)
    numbers.endPositions[listID] = position < .max ? position + 1 : nil
    return item
  }

  /// Inserts an item unchanged, with its own number.
  func insert(_ item: Item) throws {
    try reserve(item.id, .item)
    numbers.endPositions[item.listID] = nil
    try execute(
      """
      INSERT INTO item (
        id, uuid, list_id, position, text, notes, is_checked, due_local, due_at, time_zone, should_remind, alerts,
        repeat, repeat_start, repeat_from_done, last_checked_due, last_checked_start, nag, category, created_at,
        updated_at, checked_at, properties, unknown, key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, item)
  }

  func visitItemsByNumber(_ body: (Item) throws -> Void) throws {
    try forEachRow("\(Self.listing) ORDER BY item.id") { try body(listing($0).item) }
  }

  package func update(_ item: Item) throws {
    numbers.endPositions.removeAll()
    // Every value that is bound has its place.
    try execute(
      """
      UPDATE item SET list_id = ?3, position = ?4, text = ?5, notes = ?6, is_checked = ?7, due_local = ?8, due_at = ?9,
        time_zone = ?10, should_remind = ?11, alerts = ?12, repeat = ?13, repeat_start = ?14, repeat_from_done = ?15,
        last_checked_due = ?16, last_checked_start = ?17, nag = ?18, category = ?19, created_at = ?20,
        updated_at = ?21, checked_at = ?22, properties = ?23, unknown = ?24, key = ?25 WHERE id = ?1 AND uuid = ?2
      """, item)
  }

  package func deleteItem(id: Int64) throws {
    numbers.endPositions.removeAll()
    try execute("DELETE FROM item WHERE id = ?", id)
  }

  private func lastChecked(due: Int?, start: Int?) -> CheckedOccurrence? {
    guard let due, let start else { return nil }
    return CheckedOccurrence(
      due: WallTime(minutesSinceEpoch: due), start: WallTime(minutesSinceEpoch: start))
  }

  private func listing(_ row: SQLRow) throws -> ItemListing {
    var due: DueDate?
    if let local = try row.at(7) as Int?, let instant = try row.at(8) as Int64? {
      due = DueDate(local: WallTime(minutesSinceEpoch: local), instant: try FireDate(stored: instant))
    }
    let content = try ItemContent(
      text: row.at(4), notes: row.at(5), shouldRemind: row.at(10), alerts: Item.alerts(stored: row.at(11)),
      nag: (row.at(17) as String?).map(CalendarDuration.init(stored:)), category: row.at(18), key: row.at(24),
      properties: Item.properties(stored: row.at(22)))
    var item = try Item(
      id: row.at(0), uuid: row.at(1), listID: row.at(2), position: row.at(3), content: content, isChecked: row.at(6),
      due: due, zone: ItemZone(stored: row.at(9)),
      recurrence: Recurrence(stored: row.at(12), start: row.at(13), isFromDone: row.at(14) ?? false),
      lastChecked: lastChecked(due: row.at(15), start: row.at(16)), createdAt: Date(stored: row.at(19)),
      updatedAt: Date(stored: row.at(20)), checkedAt: (row.at(21) as Int64?).map(Date.init(stored:)))
    item.unknown = try UnknownFields(stored: row.at(23), of: ItemRecord.form.kind)
    return try ItemListing(
      item: item, listName: row.at(25), nextFireDate: (row.at(26) as Int64?).map(FireDate.init(stored:)))
  }
}

extension Item: SQLBindable {
  /// Binds every column of an item's row, in the table's order.
  package func bind(with binder: inout SQLBinder) {
    binder.add(id)
    binder.add(uuid)
    binder.add(listID)
    binder.add(position)
    binder.add(text)
    binder.add(notes)
    binder.add(isChecked)
    binder.add(due?.local.minutesSinceEpoch)
    binder.add(due?.instant.secondsSinceEpoch)
    binder.add(zone.stored)
    binder.add(shouldRemind)
    binder.add(storedAlerts)
    binder.add(recurrence?.rule.description)
    binder.add(recurrence?.start.minutesSinceEpoch)
    binder.add(recurrence.map { $0.origin == .done })
    binder.add(lastChecked?.due.minutesSinceEpoch)
    binder.add(lastChecked?.start.minutesSinceEpoch)
    binder.add(nag?.iso8601)
    binder.add(category)
    binder.add(createdAt.stored)
    binder.add(updatedAt.stored)
    binder.add(checkedAt?.stored)
    binder.add(storedProperties)
    binder.add(unknown?.object)
    binder.add(key)
  }
}

extension Item {
  /// Lead times as ISO 8601 durations separated by spaces; NULL for the due date alone.
  fileprivate var storedAlerts: String? {
    alerts == [.zero] ? nil : alerts.map(\.iso8601).joined(separator: " ")
  }

  /// A JSON array of texts; NULL for none.
  fileprivate var storedProperties: String? {
    properties.isEmpty ? nil : JSONValue.array(properties.map { .string($0) }).serialized()
  }

  fileprivate static func properties(stored: String?) throws -> [String] {
    guard let stored else { return [] }
    guard let elements = try? JSONValue(parsing: stored.utf8).arrayValue else {
      throw StoredValueFault("properties that are no JSON array: '\(stored)'")
    }
    return elements.compactMap(\.stringValue)
  }

  fileprivate static func alerts(stored: String?) throws -> [CalendarDuration] {
    guard let stored else { return [.zero] }
    return try stored.split(separator: " ").map { try CalendarDuration(stored: String($0)) }
  }
}

extension CalendarDuration {
  fileprivate init(stored: String) throws {
    guard let duration = CalendarDuration(iso8601: stored) else {
      throw StoredValueFault("a duration that is none: '\(stored)'")
    }
    self = duration
  }
}

extension Recurrence {
  /// A recurrence from its columns; `nil` where the rule is NULL.
  init?(stored rule: String?, start: Int?, isFromDone: Bool) throws {
    guard let rule else { return nil }
    do {
      self.init(
        rule: try RecurrenceRule(rule), start: WallTime(minutesSinceEpoch: start ?? 0),
        origin: isFromDone ? .done : .due)
    } catch {
      throw StoredValueFault("a rule that is none: '\(rule)': \(error)")
    }
  }
}
