import Foundation
import TestSupport
import Testing

/// An item with a nag that has rung at a webhook, which keeps its links and refuses it, so that a retry waits.
struct RungItem {
  /// Where it rings, and how it is answered. The first action checks, the second one snoozes.
  static func config(_ store: String, _ server: HTTPCollector) -> String {
    """
    \(store)
    sinks: { hook: { type: webhook, url: "\(server.url)" } }
    web: { listen: 127.0.0.1:0, public_url: "https://belfry.example.org" }

    """
  }

  /// The identity of its reminder.
  let reminder: String
  /// The path of its page.
  let page: String
  /// The tokens of its actions, in their order.
  let tokens: [String]

  /// Adds an item to a new store and rings it.
  static func ring(_ box: Sandbox, _ server: HTTPCollector, _ options: String...) async throws -> RungItem {
    let words = [try Programs.belfry, "add", "Milk", "--due", "in 1 minute", "--nag", "1h"] + options
    try await box.run(words, .at("-5m")).requireDone()
    let ring = try await box.belfry("run", "--once")
    try #require(ring.isDone || ring.status == 75, "\(ring)")
    return try RungItem(try JSON(try #require(try server.received().last, "\(ring)").text))
  }

  /// An item in a webhook's body.
  init(_ body: JSON) throws {
    let data = try #require(body["data"])
    reminder = try #require(data["reminder_id"]?.text)
    let link = try #require(data["answer_url"]?.text)
    page = try #require(URL(string: link)).path
    tokens = try #require(data["actions"]?.elements).compactMap { $0["token"]?.text }
  }
}

/// The state of an item that an answer and its take-back change, as commands show it.
struct Bell: Equatable {
  var isChecked: Bool
  /// The states of the deliveries.
  var deliveries: [String]
  var isNagging: Bool

  static let ringing = Bell(isChecked: false, deliveries: ["pending"], isNagging: true)
  static let answered = Bell(isChecked: true, deliveries: ["discarded"], isNagging: false)

  /// The bell of the only item in a store.
  init(in box: Sandbox) async throws {
    let item = try #require(try await box.json("show", "--all").elements?.first)
    let rung = try #require(try await box.json("deliveries").elements).filter { $0["type"] == .text("reminder.fired") }
    let pending = try #require(try await box.json("pending").elements)
    isChecked = item["is_checked"] == .bool(true)
    deliveries = rung.compactMap { $0["state"]?.text }
    isNagging = !pending.isEmpty
  }

  private init(isChecked: Bool, deliveries: [String], isNagging: Bool) {
    (self.isChecked, self.deliveries, self.isNagging) = (isChecked, deliveries, isNagging)
  }
}
