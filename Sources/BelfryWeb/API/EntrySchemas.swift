import BelfryModel
import ItemEntry

/// The schemas of bodies that the API accepts.
enum EntrySchemas {
  /// All schemas of bodies, by their names in the document.
  static var all: [(name: String, schema: JSONSchema)] {
    [
      ("NewItem", .object(fields, required: ["text"])),
      ("ItemChange", .object(fields, required: [])),
      ("ListName", .object([("name", .words)])),
      (
        "ListChange",
        .object(
          [
            ("name", .words), ("color", JSONSchema.words.described("red, blue, … or #rrggbb").orNull),
            ("icon", JSONSchema.words.described("one character").orNull),
            ("before", JSONSchema.number.described("the list to put it before")),
            ("after", JSONSchema.number.described("the list to put it after")),
          ], required: [])
      ),
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

  private static let fields = ItemField.allCases.map { (name: $0.rawValue, schema: JSONSchema($0)) }

  private static let reminder: [(name: String, schema: JSONSchema)] = [
    ("at", when("a time: sat 9am")), ("message", JSONSchema.words.orNull),
    ("repeat", JSONSchema(.repeat)), ("time_zone", JSONSchema(.timeZone)), ("category", JSONSchema(.category)),
  ]

  private static func when(_ words: String) -> JSONSchema { JSONSchema.words.described(words) }
}
