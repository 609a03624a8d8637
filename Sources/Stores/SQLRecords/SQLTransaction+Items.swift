import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules

extension SQLTransaction {
  private static let listing = """
    SELECT \(ItemColumns.selection), list.name,
      (SELECT min(fire_date) FROM reminder WHERE owner_is_list = FALSE AND owner_id = item.id AND state = 0)
    FROM item JOIN list ON list.id = item.list_id
    """
  private static let byNumber = "\(listing) WHERE item.id = ?"
  private static let byIdentity = "\(listing) WHERE item.uuid = ?"
  private static let byKey = "\(listing) WHERE item.key = ?"

  package func item(id: Int64) throws -> ItemListing? { try firstRow(Self.byNumber, id, make: listing) }

  package func item(uuid: UUID) throws -> ItemListing? { try firstRow(Self.byIdentity, uuid, make: listing) }

  package func item(key: String) throws -> ItemListing? { try firstRow(Self.byKey, key, make: listing) }

  package func visitItems(_ query: ItemQuery, _ body: (ItemListing) throws -> VisitResult) throws {
    var left = query.limit ?? Int.max
    func visit(_ selection: (sql: String, arguments: SQLArguments)) throws {
      guard left > 0 else { return }
      // Only Belfry compares tags without regard to case, so a row that is read may not match.
      let most = query.tags.isEmpty ? left : Int.max
      try visitRows("\(selection.sql) LIMIT ?", selection.arguments, most) { row in
        let listing = try listing(row)
        guard listing.item.tags.isSuperset(of: query.tags) else { return .next }
        left -= 1
        if try body(listing) == .stop { left = 0 }
        return left > 0 ? .next : .stop
      }
    }
    switch query.order {
    case .due:
      // Dated items first, each half in the order of an index: sorting all would read rows that are not returned.
      for isDated in query.dueBefore == nil && query.dueFrom == nil ? [true, false] : [true] {
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
    switch query.kind {
    case .todos: conditions.append("NOT item.is_event")
    case .events: conditions.append("item.is_event")
    case .any: break
    }
    if query.isRepeating { conditions.append("item.repeat IS NOT NULL") }
    if let numbers = query.priority?.numbers {
      conditions.append("item.priority BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)")
    }
    if !query.tags.isEmpty { conditions.append("item.tags IS NOT NULL") }
    if let listID = query.listID {
      conditions.append("item.list_id = ?")
      arguments += [listID]
    }
    if let dueFrom = query.dueFrom {
      conditions.append("item.due_at >= ?")
      arguments += [dueFrom.storedBound]
    }
    if let dueBefore = query.dueBefore {
      conditions.append("item.due_at < ?")
      arguments += [dueBefore.storedBound]
    }
    return ("\(Self.listing) WHERE \(conditions.joined(separator: " AND "))", arguments)
  }

  package func uncheckedCount(listID: Int64?, dueBefore: Date?) throws -> Int {
    var arguments = SQLArguments()
    if let listID { arguments += [listID] }
    if let dueBefore { arguments += [dueBefore.storedBound] }
    let count = Self.uncheckedCount(ofList: listID != nil, isDue: dueBefore != nil, no: dialect.no)
    return Int(try integer(count, arguments + arguments))
  }

  /// The query for a number of unchecked to-dos: of one list or all, due before an instant or all.
  ///
  /// - Parameter no: false in the dialect.
  package static func uncheckedCount(ofList: Bool, isDue: Bool, no: String) -> String {
    var conditions = ["is_checked = \(no)"]
    if ofList { conditions.append("list_id = ?") }
    if isDue { conditions.append("due_at < ?") }
    // The index of events begins with the list. Without one, SQLite would read each open item to find the events.
    let events = ofList ? [] : ["list_id IN (SELECT id FROM list)"]
    return "SELECT \(todoCount(conditions, ofEvents: events))"
  }

  package func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item {
    // An item that cannot be added uses up no number.
    let id = try preferredID ?? max(1, next(.item))
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
    try execute(ItemColumns.insertion, item)
  }

  func visitItemsByNumber(_ body: (Item) throws -> Void) throws {
    try forEachRow("\(Self.listing) ORDER BY item.id") { try body(listing($0).item) }
  }

  package func update(_ item: Item) throws {
    numbers.endPositions.removeAll()
    try execute(ItemColumns.update, item)
  }

  /// Moves properties of earlier versions into the fields that have replaced them.
  package func takeFields() throws {
    let stored = try readingPastFaults({ _ in }) {
      try rows("\(Self.listing) WHERE properties LIKE '%PRIORITY:%' OR properties LIKE '%CATEGORIES:%'") {
        try listing($0).item
      }
    }
    for var item in stored {
      let old = item
      item.content.takeFields()
      if item != old { try update(item) }
    }
  }

  package func deleteItem(id: Int64) throws {
    numbers.endPositions.removeAll()
    try execute("DELETE FROM item WHERE id = ?", id)
  }

  private func listing(_ row: SQLRow) throws -> ItemListing {
    try ItemListing(
      item: ItemColumns.item(row), listName: row.at(ItemColumns.count),
      nextFireDate: (row.at(ItemColumns.count + 1) as Int64?).map(FireDate.init(stored:)))
  }
}

extension Recurrence {
  /// A recurrence from its columns; `nil` if the rule is NULL.
  init?(stored rule: String?, start: Int?, isFromDone: Bool) throws {
    guard let rule else { return nil }
    do {
      self.init(
        rule: try RecurrenceRule(rule), start: WallTime(minutesSinceEpoch: start ?? 0),
        origin: isFromDone ? .done : .due)
    } catch {
      throw StoredValueFault("an invalid rule: '\(rule)': \(error)")
    }
  }
}
