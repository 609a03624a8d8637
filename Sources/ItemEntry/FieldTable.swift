import BelfryEngine
import BelfryModel
import CivilTime

extension ItemField {
  /// The row of the field in the table of fields. It is made on demand, since a command needs few rows, or none.
  package var row: FieldRow {
    switch self {
    case .text:
      FieldRow(
        "Text", in: .text, .line, "The text.", value: "text", show: { $0.item.text },
        read: { $0.text = try TextRules.line($1.text(), what: "the text") })
    case .due:
      FieldRow(
        "Due date", in: .due, .time, "The due date: 18:30, 'fri 17:00', 2026-12-24, …", value: "when",
        hint: "fri 17:00, in 2 hours, none",
        show: { $0.item.due.map { "\($0.local)".replacing("T", with: " ") } ?? "" },
        read: { edit, words in edit.due = try words.optional(words.time) ?? When.none })
    case .repeat:
      FieldRow(
        "Repeat", in: .due, .words, "The repeat: daily, 'every 2 weeks' or an RRULE.", value: "rule",
        hint: "every 2 weeks, monthly, weekdays, or an RRULE",
        suggestions: ["every day", "every weekday", "every week", "every 2 weeks", "every month", "every year"],
        show: { $0.item.recurrence?.rule.words ?? "" },
        read: { edit, words in edit.rule = try words.optional(words.reader.rule).map { .set($0) } ?? .clear })
    case .repeatFrom:
      FieldRow(
        "The next one counts from", in: .due, .choice([("due", "the due date"), ("done", "when it is checked")]),
        "Count the next repeat from the due date or check.", value: "due|done",
        option: "repeat-from",
        show: { ($0.item.recurrence?.origin ?? .due).rawValue },
        read: { edit, words in edit.repeatOrigin = try words.optional(words.origin) ?? .due })
    case .remind:
      FieldRow(
        "Remind when due", in: .ringing, .flag, "Whether it reminds of the due date.", value: "yes|no",
        show: { $0.item.shouldRemind ? "yes" : "no" }, read: { $0.shouldRemind = try $1.flag() })
    case .alerts:
      FieldRow(
        "Before it is due", in: .ringing, .several, "The lead time of a reminder: 10m, 1d.", value: "duration",
        option: "alert", hint: "1d, 10m, 0m; empty for when it is due",
        show: { $0.item.alerts == [.zero] ? "" : $0.item.alerts.map { "\($0)" }.joined(separator: ", ") },
        read: { edit, words in
          edit.alerts = try words.texts("write durations such as 1d, 10m").map {
            try words.duration($0, allowsZero: true)
          }
        })
    case .nag:
      FieldRow(
        "Again every", in: .ringing, .words, "The interval of rings until it is checked: 15m.", value: "duration",
        hint: "15m, until it is checked; empty for once", show: { $0.item.nag.map { "\($0)" } ?? "" },
        read: { edit, words in edit.nag = try words.optional { try words.duration($0) }.map { .set($0) } ?? .clear })
    case .timeZone:
      FieldRow(
        "Time zone", in: .ringing, .words, "The IANA time zone, or floating for the local one.", value: "zone",
        option: "time-zone", hint: "Europe/Zurich; empty for wherever you are",
        show: { if case .fixed(let name) = $0.item.zone { name } else { "" } },
        read: { edit, words in edit.zone = try words.optional(words.reader.zone) ?? .floating })
    case .list:
      FieldRow(
        "List", in: .place, .list, "The list.", value: "list", show: \.listName, read: { $0.list = try $1.list() })
    case .tags:
      FieldRow(
        "Tags", in: .place, .several, "A tag: one word, or none.", value: "tag", option: "tag",
        hint: "home, phone", show: { $0.item.tags.names.joined(separator: ", ") },
        read: { $0.tags = try $1.tags() })
    case .priority:
      FieldRow(
        "Priority", in: .place,
        .choice([("none", "none"), ("high", "high"), ("medium", "medium"), ("low", "low")]),
        "The priority: high, medium, low or none.", value: "level",
        show: { $0.item.priority?.level.rawValue ?? "none" },
        read: { edit, words in edit.priority = try words.optional(words.priority).map { .set($0) } ?? .clear })
    case .category:
      FieldRow(
        "Category", in: .place, .category, "The category: its actions, its escalation.", value: "id",
        show: { $0.item.category ?? "" },
        read: { edit, words in edit.category = try words.optional(words.reader.category) ?? "" })
    case .notes:
      FieldRow(
        "Notes", in: .notes, .lines, "The notes, included in messages.", value: "text",
        show: { $0.item.notes ?? "" },
        read: { $0.notes = try $1.optional { try TextRules.lines($0, what: "the notes") ?? "" } ?? "" })
    }
  }
}
