import Foundation
import TestSupport
import Testing

/// Three items that have rung over every channel that carries links: Milk, Bread and Oats.
struct ScannedReminders {
  let box: Sandbox
  let face: RunningWebFace
  /// Every URL that a plain search finds, by the channel of its message.
  let linksByChannel: [String: Set<String>]

  /// Every URL, once.
  var links: [String] { linksByChannel.values.reduce(into: Set()) { $0.formUnion($1) }.sorted() }

  /// Rings them; Bread is checked, and Oats snoozed.
  init() async throws {
    // The status and body with which a receiver accepts a message; 200 and "ok" for others.
    let accepted = ["ntfy": (200, #"{"id":"xE73Iyuabi","event":"message"}"#), "discord": (204, "")]
    let chats = try ["standard", "slack", "discord", "ntfy"].map { format in
      let (status, body) = accepted[format] ?? (200, "ok")
      return (format, try HTTPCollector(answers: [.init(status, body: body)]))
    }
    let mail = try MailCollector()
    let sinks =
      chats.map { "\($0): { type: webhook, format: \($0), url: \"\($1.url)\" }" } + [Sandbox.mailSink(mail.url)]
    box = try Sandbox()
    face = try await box.linkedWebFace(
      "store: { type: sqlite, path: store.sqlite }\nsinks:\n" + sinks.map { "  \($0)\n" }.joined() + Self.actions)
    try box.write("store: { type: json, path: copy.json }\nsinks: { out: { type: stdout } }\n", to: "copy.yaml")
    try await box.addDueItems(["Milk", "Bread", "Oats"], "--category", "chores", "--nag", "30m")
    try await Self.deliver(box)
    try await Self.answer(2, "done", box)
    try await Self.answer(3, "later", box)
    // The copies are told.
    try await Self.deliver(box)
    var links: [String: Set<String>] = [:]
    for (format, server) in chats {
      links[format] = Self.links(in: try server.received().map(\.text))
    }
    let parts = try mail.received().flatMap(\.parts)
    for type in ["text/plain", "text/html"] {
      links[type] = Self.links(in: parts.filter { $0.type == type }.map(\.text))
    }
    linksByChannel = links
  }

  // Two actions that a link carries out, and two that need a sign-in.
  private static let actions = """
    categories:
      chores:
        actions:
          - { identifier: done, title: "Done", do: check }
          - { identifier: later, title: "Later", do: snooze, for: 1h }
          - { identifier: pay, title: "Pay", do: check, authentication_required: true }
          - { identifier: away, title: "Throw away", do: delete, destructive: true }

    """

  private static func deliver(_ box: Sandbox) async throws {
    let outcome = try await box.belfry("run", "--once")
    try #require(outcome.isDone, "\(outcome)")
  }

  private static func answer(_ item: Int64, _ action: String, _ box: Sandbox) async throws {
    let deliveries = try #require(try await box.json("deliveries").elements)
    let reminder = deliveries.first { $0["item_id"] == .integer(item) }?["reminder_id"]?.text
    let outcome = try await box.belfry("act", try #require(reminder), action)
    try #require(outcome.isDone, "\(outcome)")
  }

  private static func links(in texts: [String]) -> Set<String> {
    Set(texts.flatMap { $0.matches(of: #/https?:\/\/[^\s"'<>\\]+/#).map { String($0.output) } })
  }
}

// MARK: The store

extension ScannedReminders {
  /// The whole store, one record on each line.
  func store() async throws -> [String] {
    let outcome = try await box.belfry("store", "copy", "--to", "copy.yaml", "--force")
    try #require(outcome.isDone, "\(outcome)")
    return box.lines("copy.json")
  }

  /// The part that a robot must leave as it was. Answers that were taken back stay in the record, and nags count anew.
  func lasting() async throws -> Lasting { Lasting(try JSON(try await store().joined(separator: "\n"))) }

  /// Opens links as a program does, and returns its report, with the changes in the store.
  ///
  /// - Parameter base: the beginning of the links, where another server stands in front of the web face.
  func changes(
    by scanner: LinkScanner, through base: String? = nil
  ) async throws -> (told: [JSON], changed: Set<String>) {
    let before = Set(try await store())
    let told = try await scanner.open(links.map { $0.replacing(face.url, with: base ?? face.url) }, in: box)
    return (told, Set(try await store()).symmetricDifference(before))
  }

  /// The part of a store that lasts.
  struct Lasting: Equatable {
    let items: [JSON]
    let ringing: Set<JSON>
    let answers: [JSON]
    let isWaiting: [JSON]

    init(_ store: JSON) {
      let records = { (name: String) in store[name]?.elements ?? [] }
      items = records("items").map { $0.without("updated_at") }
      ringing = Set(
        records("reminders").filter { $0["state"] == .text("scheduled") }.map { reminder in
          let nag = reminder["item_id"].map { JSON.array([.text("nag"), $0]) }
          return reminder["kind"] == .text("nag") ? nag ?? .null : reminder.without("changed_at")
        })
      answers = records("answers").filter { $0["effect"] == .text("done") && $0["taken_back_at"] == nil }
      isWaiting = records("deliveries").filter { $0["state"] == .text("pending") }
    }
  }
}

extension JSON {
  fileprivate func without(_ key: String) -> JSON {
    guard case .object(var members) = self else { return self }
    members[key] = nil
    return .object(members)
  }
}
