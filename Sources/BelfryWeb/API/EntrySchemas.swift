import BelfryModel
import ItemEntry

/// The schemas of what the API takes.
enum EntrySchemas {
  /// All of them, by their names in the document.
  static var all: [(name: String, schema: JSONSchema)] {
    [
      ("NewItem", .object(fields, required: ["text"])),
      ("ItemChange", .object(fields, required: [])),
      ("ListName", .object([("name", .words)])),
      ("NewListReminder", .object(reminder, required: ["at"])),
      (
        "Snooze",
        .object([("for", when("a duration: 10m, 2h")), ("until", when("a time: tomorrow 9am"))], required: [])
      ),
      (
        "ItemMove",
        .any(of: [
          .object([("before", .number)]), .object([("after", .number)]), .object([("last", .always)]),
        ])
      ),
      ("InboxLine", .object([("line", .words), ("list", .words)], required: ["line"])),
    ] + AlertSchemas.all
  }

  private static let fields: [(name: String, schema: JSONSchema)] = ItemField.allCases.map { field in
    (field.rawValue, schema(of: field))
  }

  private static func schema(of field: ItemField) -> JSONSchema {
    switch field {
    case .text, .list: .words
    case .remind: .flag
    case .alerts: JSONSchema.array(of: .words).orNull.described("lead times: 1d, 10m")
    case .due: when("a time: 18:30, fri 17:00, 2026-12-24").orNull
    case .timeZone: JSONSchema.words.orNull.described("an IANA time zone, or floating")
    case .repeat: JSONSchema.words.orNull.described("daily, every 2 weeks, or an RRULE")
    case .repeatFrom: JSONSchema.one(of: Recurrence.Origin.allCases.map(\.rawValue)).orNull
    case .nag: when("a duration: 15m").orNull
    case .category, .notes: JSONSchema.text.orNull
    }
  }

  private static let reminder: [(name: String, schema: JSONSchema)] = [
    ("at", when("a time: sat 9am")), ("message", JSONSchema.words.orNull),
    ("repeat", schema(of: .repeat)), ("time_zone", schema(of: .timeZone)), ("category", JSONSchema.text.orNull),
  ]

  private static func when(_ words: String) -> JSONSchema { JSONSchema.words.described(words) }
}
