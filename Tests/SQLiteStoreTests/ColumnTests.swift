import BelfryModel
import BelfryTestKit
import Testing

@Suite("The columns of a database and the fields of records")
struct ColumnTests {
  /// The columns whose names differ from the fields', by field.
  private static let columns: [String: [String: String]] = [
    "item": [
      "list": "list_id", "due_date": "due_at", "repeat_from": "repeat_from_done",
      // Stored as a reminder; only exports have it as a field.
      "snoozed_until": "",
    ],
    "list": ["reminder": ""],
    "list's reminder": [
      "due_date": "remind_at", "due_local": "remind_local", "time_zone": "remind_zone", "message": "remind_message",
      "repeat": "remind_repeat", "repeat_start": "remind_repeat_start", "category": "remind_category",
      // Lists have no repeat origin; a snooze is stored as a reminder, and only exports have it as a field.
      "repeat_from": "", "snoozed_until": "", "unknown": "remind_unknown",
    ],
    "reminder": [
      "reminder_id": "uuid", "item_id": "owner_id", "list_id": "owner_is_list", "due_local": "wall_time",
      "lead": "lead_minutes",
    ],
    "message": ["message_id": "uuid"],
    "answer": [
      "reminder_id": "reminder_uuid", "ring": "ring_uuid", "item_id": "owner_id", "list_id": "owner_is_list",
      "due_local": "wall_time", "lead": "lead_minutes", "do": "operation", "at": "given_at",
      "snooze_id": "snooze_uuid",
    ],
    // In a table of its own.
    "delivery": ["history": ""],
  ]

  /// The tables whose names differ from the record's.
  private static let tables = ["list's reminder": "list", "sink's inbox": "sink_inbox"]

  @Test(
    "every field of a record has its column, and what Belfry does not know has one",
    arguments: RecordKind.all.map(\.noun).filter { $0 != "store" })
  func columns(noun: String) throws {
    let place = try Place()
    try place.fill(items: 1)
    let kind = try #require(RecordKind.all.first { $0.noun == noun })
    let table = Self.tables[noun] ?? noun
    let columns = try place.python("print(*[row[1] for row in c.execute('PRAGMA table_info(\(table))')])")
      .split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(!columns.isEmpty)
    for name in kind.names.map({ "\($0)" }) + ["unknown"] {
      let column = Self.columns[noun]?[name] ?? name
      #expect(column.isEmpty || columns.contains(column), "\(noun) has a \"\(name)\" and no column \(column)")
    }
  }

  /// The columns of items that the views leave out. A new column belongs to these, or into the views of both schemas.
  private static let unshown: Set = [
    "uuid", "list_id", "position", "due_at", "alerts", "repeat", "repeat_start", "repeat_from_done", "last_checked_due",
    "last_checked_start", "nag", "created_at", "updated_at", "checked_at", "properties", "unknown", "key",
  ]

  @Test("the views of items leave out the columns that only programs read", arguments: ["items", "overdue"])
  func views(name: String) throws {
    let place = try Place()
    try place.fill(items: 1)
    func columns(of table: String) throws -> Set<String> {
      let names = try place.python("print(*[row[1] for row in c.execute('PRAGMA table_info(\(table))')])")
      return Set(names.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    #expect(try columns(of: "item").subtracting(columns(of: name)) == Self.unshown)
  }
}
