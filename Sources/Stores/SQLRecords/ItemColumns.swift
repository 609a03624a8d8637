import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// A column of the table of items, or several that hold one value.
private struct ItemColumn: Sendable {
  let names: [String]
  let bind: @Sendable (Item, inout SQLBinder) -> Void
  /// Reads the value; the number is that of the first of its columns.
  let read: @Sendable (inout Item, SQLRow, Int) throws -> Void

  init(
    _ names: String..., bind: @escaping @Sendable (Item, inout SQLBinder) -> Void,
    read: @escaping @Sendable (inout Item, SQLRow, Int) throws -> Void
  ) {
    (self.names, self.bind, self.read) = (names, bind, read)
  }

  /// Every column, in the order of the statements; the first two identify the row. A new column is one row here and a
  /// migration in each schema.
  static let all: [ItemColumn] = [
    ItemColumn("id", bind: { $1.add($0.id) }, read: { $0.id = try $1.at($2) }),
    ItemColumn("uuid", bind: { $1.add($0.uuid) }, read: { $0.uuid = try $1.at($2) }),
    ItemColumn("list_id", bind: { $1.add($0.listID) }, read: { $0.listID = try $1.at($2) }),
    ItemColumn("position", bind: { $1.add($0.position) }, read: { $0.position = try $1.at($2) }),
    ItemColumn("text", bind: { $1.add($0.content.text) }, read: { $0.content.text = try $1.at($2) }),
    ItemColumn("notes", bind: { $1.add($0.content.notes) }, read: { $0.content.notes = try $1.at($2) }),
    ItemColumn("is_checked", bind: { $1.add($0.isChecked) }, read: { $0.isChecked = try $1.at($2) }),
    ItemColumn(
      "due_local", "due_at",
      bind: {
        $1.add($0.due?.local.minutesSinceEpoch)
        $1.add($0.due?.instant.secondsSinceEpoch)
      }, read: { $0.due = try DueDate(storedLocal: $1.at($2), instant: $1.at($2 + 1)) }),
    ItemColumn("time_zone", bind: { $1.add($0.zone.stored) }, read: { $0.zone = ItemZone(stored: try $1.at($2)) }),
    ItemColumn(
      "should_remind", bind: { $1.add($0.content.shouldRemind) }, read: { $0.content.shouldRemind = try $1.at($2) }),
    ItemColumn(
      "alerts", bind: { $1.add($0.content.storedAlerts) },
      read: { $0.content.alerts = try ItemContent.alerts(stored: $1.at($2)) }),
    ItemColumn(
      "repeat", "repeat_start", "repeat_from_done",
      bind: {
        $1.add($0.recurrence?.rule.description)
        $1.add($0.recurrence?.start.minutesSinceEpoch)
        $1.add($0.recurrence.map { $0.origin == .done })
      },
      read: {
        $0.recurrence = try Recurrence(
          stored: $1.at($2), start: $1.at($2 + 1), isFromDone: $1.at($2 + 2) ?? false)
      }),
    ItemColumn(
      "last_checked_due", "last_checked_start",
      bind: {
        $1.add($0.lastChecked?.due.minutesSinceEpoch)
        $1.add($0.lastChecked?.start.minutesSinceEpoch)
      }, read: { $0.lastChecked = CheckedOccurrence(storedDue: try $1.at($2), start: try $1.at($2 + 1)) }),
    ItemColumn(
      "nag", bind: { $1.add($0.content.nag?.iso8601) },
      read: { $0.content.nag = try ($1.at($2) as String?).map(CalendarDuration.init(stored:)) }),
    ItemColumn("category", bind: { $1.add($0.content.category) }, read: { $0.content.category = try $1.at($2) }),
    ItemColumn(
      "created_at", bind: { $1.add($0.createdAt.stored) }, read: { $0.createdAt = Date(stored: try $1.at($2)) }),
    ItemColumn(
      "updated_at", bind: { $1.add($0.updatedAt.stored) }, read: { $0.updatedAt = Date(stored: try $1.at($2)) }),
    ItemColumn(
      "checked_at", bind: { $1.add($0.checkedAt?.stored) },
      read: { $0.checkedAt = (try $1.at($2) as Int64?).map(Date.init(stored:)) }),
    ItemColumn(
      "properties", bind: { $1.add($0.content.storedProperties) },
      read: { $0.content.properties = try ItemContent.properties(stored: $1.at($2)) }),
    ItemColumn(
      "unknown", bind: { $1.add($0.unknown?.object) },
      read: { $0.unknown = try UnknownFields(stored: $1.at($2), of: ItemRecord.form.kind) }),
    ItemColumn("key", bind: { $1.add($0.content.key) }, read: { $0.content.key = try $1.at($2) }),
    ItemColumn(
      "tags", bind: { $1.add($0.content.tags.stored) }, read: { $0.content.tags = try ItemTags(stored: $1.at($2)) }),
    ItemColumn(
      "priority", bind: { $1.add($0.content.priority?.number) },
      read: { $0.content.priority = try ($1.at($2) as Int64?).map(ItemPriority.init(stored:)) }),
  ]
}

/// The statements that name the columns of the table of items.
enum ItemColumns {
  private static let names = ItemColumn.all.flatMap(\.names)
  /// The columns of a selection, from the first column of a row on.
  static let selection = names.map { "item.\($0) AS \($0)" }.joined(separator: ", ")
  static let count = names.count
  /// Inserts a row. Binds an item.
  static let insertion =
    "INSERT INTO item (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
  /// Updates a row. Binds an item, whose values have numbered placeholders.
  static let update: String = {
    let values = names.enumerated().map { "\($1) = ?\($0 + 1)" }
    return "UPDATE item SET \(values.dropFirst(2).joined(separator: ", "))"
      + " WHERE \(values.prefix(2).joined(separator: " AND "))"
  }()

  // Plain lists, since rows are bound and read often.
  fileprivate static let binders = ItemColumn.all.map(\.bind)
  private static let readers = ItemColumn.all.map(\.read)
  private static let places = ItemColumn.all.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.names.count) }
  private static let blank = Item(
    id: 0, uuid: .belfry, listID: 0, position: 0, content: .blank, createdAt: .distantPast)

  /// The item of a row of the selection.
  static func item(_ row: SQLRow) throws -> Item {
    var item = blank
    for index in readers.indices { try readers[index](&item, row, places[index]) }
    return item
  }
}

extension Item: SQLBindable {
  package func bind(with binder: inout SQLBinder) {
    for bind in ItemColumns.binders { bind(self, &binder) }
  }
}

extension DueDate {
  /// A due date from its columns; `nil` if one is NULL.
  fileprivate init?(storedLocal local: Int?, instant: Int64?) throws {
    guard let local, let instant else { return nil }
    self.init(local: WallTime(minutesSinceEpoch: local), instant: try FireDate(stored: instant))
  }
}

extension CheckedOccurrence {
  /// An occurrence from its columns; `nil` if one is NULL.
  fileprivate init?(storedDue due: Int?, start: Int?) {
    guard let due, let start else { return nil }
    self.init(due: WallTime(minutesSinceEpoch: due), start: WallTime(minutesSinceEpoch: start))
  }
}

extension ItemContent {
  /// Lead times as ISO 8601 durations separated by spaces; NULL for only the due date.
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
      throw StoredValueFault("properties that are not a JSON array: '\(stored)'")
    }
    return elements.compactMap(\.stringValue)
  }

  fileprivate static func alerts(stored: String?) throws -> [CalendarDuration] {
    guard let stored else { return [.zero] }
    return try stored.split(separator: " ").map { try CalendarDuration(stored: String($0)) }
  }
}

extension ItemTags {
  /// The tags separated by spaces; NULL for none.
  fileprivate var stored: String? { isEmpty ? nil : names.joined(separator: " ") }

  fileprivate init(stored: String?) throws {
    self = .empty
    guard let stored else { return }
    do throws(BelfryError) {
      self = try ItemTags(stored.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
    } catch {
      throw StoredValueFault("invalid tags: \(error.message)")
    }
  }
}

extension ItemPriority {
  fileprivate init(stored: Int64) throws {
    guard let priority = ItemPriority(number: stored) else {
      throw StoredValueFault("a priority that is not from 1 to 9: \(stored)")
    }
    self = priority
  }
}

extension CalendarDuration {
  fileprivate init(stored: String) throws {
    guard let duration = CalendarDuration(iso8601: stored) else {
      throw StoredValueFault("an invalid duration: '\(stored)'")
    }
    self = duration
  }
}
