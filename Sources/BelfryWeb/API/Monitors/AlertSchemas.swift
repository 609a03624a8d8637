/// The schemas of monitors' requests, which may have more members, since monitors add some over time.
enum AlertSchemas {
  /// All schemas of monitors' requests, by their names in the document.
  static var all: [(name: String, schema: JSONSchema)] {
    [
      ("AlertmanagerMessage", message), ("AlertmanagerAlert", .object(alert(firing), required: told, isOpen: true)),
      ("PrometheusAlert", .object(alert([]), required: ["labels"], isOpen: true)),
    ]
  }

  private static let message = JSONSchema.object(
    [("version", .one(of: ["4"])), ("alerts", .array(of: .named("AlertmanagerAlert")))], isOpen: true)

  private static let firing: [(name: String, schema: JSONSchema)] = [
    ("status", .one(of: AlertReader.Status.allCases.map(\.rawValue)))
  ]

  private static let told = ["status", "labels", "startsAt"]

  private static func alert(_ more: [(name: String, schema: JSONSchema)]) -> [(name: String, schema: JSONSchema)] {
    more + [
      ("labels", JSONSchema.object([], isOpen: true).described("what identifies the alert: texts by their names")),
      ("annotations", JSONSchema.object([], isOpen: true).orNull.described("texts by their names")),
      ("startsAt", more.isEmpty ? JSONSchema.instant.orNull : .instant), ("endsAt", JSONSchema.instant.orNull),
      ("generatorURL", JSONSchema.text.orNull),
    ]
  }
}
