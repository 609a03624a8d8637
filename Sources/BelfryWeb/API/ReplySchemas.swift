import BelfryEngine
import BelfryModel

/// The schemas of what the API replies with, by their names in the document.
enum ReplySchemas {
  /// All of them. Those of records follow from the records.
  static var all: [(name: String, schema: JSONSchema)] {
    [
      ("Item", .record(ItemRecord.form)), ("ListReminder", .record(ListReminderRecord.form)), ("List", list),
      ("Delivery", .object(delivery)), ("AnsweredDelivery", .object(delivery + [("answers", answers)])),
      ("ExplainedDelivery", .object(delivery + [("history", .array(of: attempt))])),
      ("Answer", .object(answer)), ("GivenAnswer", .object(answer + [("done", JSONSchema.text.orNull)])),
      ("PendingReminder", .object([("reminder_id", .identity)] + owner + reach)),
      ("PlannedReminder", .object(owner + reach + [("steps", .array(of: step))])),
      ("Explanation", explanation), ("ExplainedReminder", reminder), ("UnansweredEscalation", unanswered),
      ("Sink", sink), ("SinkTest", sinkTest), ("UndoneEntry", undone), ("Problem", problem),
    ]
  }

  private static let answers = JSONSchema.array(of: .named("Answer"))

  private static let list = JSONSchema.object([
    ("id", .number), ("uuid", .identity), ("name", .text), ("items", .number), ("remaining", .number),
    ("overdue", .number), ("next_fire_date", JSONSchema.instant.orNull),
    ("reminder", JSONSchema.named("ListReminder").orNull),
  ])

  private static let delivery: [(name: String, schema: JSONSchema)] = [
    ("id", .number), ("message_id", .identity), ("reminder_id", JSONSchema.identity.orNull),
    ("item_id", JSONSchema.number.orNull), ("list", JSONSchema.text.orNull), ("text", JSONSchema.text.orNull),
    ("sink", .text), ("recipient", JSONSchema.text.orNull), ("state", .one(of: Delivery.State.allCases.map(\.name))),
    ("fire_date", JSONSchema.instant.orNull), ("attempts", .number), ("next_attempt_at", JSONSchema.instant.orNull),
    ("delivered_at", JSONSchema.instant.orNull), ("late_seconds", JSONSchema.number.orNull),
    ("last_error", JSONSchema.text.orNull), ("type", .text), ("reminder_count", .number),
  ]

  private static let attempt = JSONSchema.object([
    ("started_at", .instant), ("outcome", .text), ("words", JSONSchema.text.orNull),
  ])

  private static let answer: [(name: String, schema: JSONSchema)] = [
    ("id", .number), ("reminder_id", .identity), ("item_id", JSONSchema.number.orNull), ("list", .text),
    ("text", .text), ("action", .text), ("do", .text), ("person", JSONSchema.text.orNull),
    ("channel", .one(of: Answer.Channel.allCases.map(\.rawValue))), ("at", .instant),
    ("effect", .one(of: Answer.Effect.allCases.map(\.name))), ("taken_back_at", JSONSchema.instant.orNull),
  ]

  private static let owner: [(name: String, schema: JSONSchema)] = [
    ("item_id", JSONSchema.number.orNull), ("list", .text), ("text", .text), ("fire_date", .instant),
  ]

  private static let place: [(name: String, schema: JSONSchema)] = [
    ("escalation", JSONSchema.text.orNull), ("step", JSONSchema.number.orNull), ("ring", JSONSchema.number.orNull),
  ]

  private static let reach: [(name: String, schema: JSONSchema)] =
    [("sinks", .array(of: .text)), ("people", .array(of: .text)), ("kind", .text)] + place

  private static let step = JSONSchema.object([
    ("step", .number), ("at", .instant), ("to", .array(of: .text)), ("every", JSONSchema.duration.orNull),
    ("times", .number),
  ])

  private static let explanation = JSONSchema.object([
    ("item", JSONSchema.named("Item").orNull), ("list", JSONSchema.named("List").orNull), ("verdict", .text),
    ("reasons", .array(of: .text)),
    ("reminders", .array(of: .named("ExplainedReminder"))), ("escalation", escalation.orNull),
    ("if_unanswered", .array(of: .named("UnansweredEscalation"))),
  ])

  private static let reminder = JSONSchema.object(
    [
      ("reminder_id", .identity), ("kind", .text), ("due_local", .wallTime), ("alert", .duration),
      ("fire_date", .instant), ("state", .text), ("deliveries", .array(of: .named("ExplainedDelivery"))),
      ("answers", answers), ("people", .array(of: .text)), ("obstacle", JSONSchema.text.orNull),
    ] + place)

  private static let escalation = JSONSchema.object([
    ("name", .text), ("category", JSONSchema.text.orNull), ("lists", JSONSchema.text.orNull), ("steps", .number),
    ("again_after", JSONSchema.duration.orNull), ("again", .text), ("notify_on_answer", .flag),
    ("omitted_nag", JSONSchema.duration.orNull),
  ])

  private static let unanswered = JSONSchema.object([
    ("since", .instant), ("is_under_way", .flag), ("ends_at", JSONSchema.instant.orNull),
    (
      "rings",
      .array(
        of: .object([
          ("step", .number), ("ring", .number), ("at", .instant), ("is_made", .flag),
          ("recipients", .array(of: recipient)),
          ("away", .array(of: .object([("person", .text), ("until", JSONSchema.instant.orNull)]))),
        ]))
    ),
  ])

  private static let recipient = JSONSchema.object([
    ("sink", .text), ("person", JSONSchema.text.orNull), ("recipient", JSONSchema.text.orNull),
    ("held_until", JSONSchema.instant.orNull), ("is_omitted", .flag), ("state", JSONSchema.text.orNull),
  ])

  private static let sink = JSONSchema.object([
    ("name", .text), ("type", .text), ("enabled", .flag),
    ("problem", JSONSchema.object([("kind", .text), ("since", .instant), ("reason", .text)]).orNull),
    (
      "answers",
      JSONSchema.object([
        ("channel", .text), ("problem", JSONSchema.text.orNull), ("needs_attention", .flag),
        ("since", JSONSchema.instant.orNull),
      ]).orNull
    ),
  ])

  private static let sinkTest = JSONSchema.object([
    ("sink", .text), ("recipient", JSONSchema.text.orNull),
    ("outcome", .one(of: ["delivered", "later", "unknown", "never"])), ("reason", JSONSchema.text.orNull),
    ("answer", .null),
  ])

  private static let undone = JSONSchema.object([
    ("command", .text), ("changed_at", .instant), ("fate", .one(of: ["removed", "restored", "reverted"])),
    ("item", JSONSchema.named("Item").orNull), ("list", JSONSchema.named("List").orNull),
  ])

  private static let problem = JSONSchema.object(
    [
      ("type", .text), ("title", .text), ("status", .integer(400...599)), ("detail", .text),
      ("hint", JSONSchema.text.orNull),
      (
        "errors",
        .array(of: .object([("field", .text), ("detail", .text), ("hint", JSONSchema.text.orNull)]))
      ),
      (
        "items",
        JSONSchema.array(of: .named("Item")).described("what the rest of the request changed, where it was carried out")
      ),
    ], required: ["type", "title", "status", "detail", "hint"], isOpen: true)
}
