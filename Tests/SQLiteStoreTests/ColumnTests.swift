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

  @Test("the views of items show their tags and priority", arguments: ["items", "overdue"])
  func views(name: String) throws {
    let place = try Place()
    try place.fill(items: 1)
    let columns = try place.python("print(*[row[1] for row in c.execute('PRAGMA table_info(\(name))')])")
      .split(whereSeparator: \.isWhitespace)
    #expect(columns.suffix(2) == ["tags", "priority"], "\(columns)")
  }
}
