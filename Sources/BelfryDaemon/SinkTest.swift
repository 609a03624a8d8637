import BelfryEngine
import BelfryModel
import BelfryRuntime
import FoundationEssentials

/// Tests sinks by a message, which is delivered like a reminder, or only by a connection.
struct SinkTest: Sendable {
  private let belfry: Belfry

  /// A test with the settings of a config.
  init(belfry: Belfry) { self.belfry = belfry }

  /// Sends a message of type `reminder.test` to recipients of a sink, with buttons if the sink receives answers. The
  /// store keeps nothing of it.
  ///
  /// - Parameter withLinks: whether it has the links of a reminder, which lead somewhere only during a ``LinkTest``.
  func deliver(
    _ message: Message, through sink: ActiveSink, to recipients: [String?], withLinks: Bool = false
  ) async -> [SinkTestResult] {
    let (links, buttons) = (withLinks ? sink.links(of: message) : [], sink.buttons(of: message))
    var results: [SinkTestResult] = []
    for recipient in recipients {
      let attempt = DeliveryAttempt(
        deliveryID: 0, message: message, recipient: recipient, startedAt: belfry.time.now, lateSeconds: 0,
        links: links, buttons: buttons)
      results.append(SinkTestResult(sink: sink.name, recipient: recipient, outcome: await sink.deliver(attempt)))
    }
    return results
  }

  /// Connects to a sink's server, and sends nothing.
  func probe(_ sink: ActiveSink) async -> SinkTestResult {
    SinkTestResult(sink: sink.name, recipient: nil, outcome: await sink.sink.probe())
  }

  static func text(_ name: String) -> String { "Belfry's test of the sink '\(name)': it works" }

  /// The message for a sink.
  ///
  /// - Parameter waitsForAnswer: whether a person must be able to answer it.
  /// - Throws: ``BelfryError`` for an unknown zone, and the errors of the store.
  func message(for sink: ActiveSink, waitsForAnswer: Bool = false) throws -> Message {
    var settings = belfry.settings
    if waitsForAnswer, !sink.sink.canWithdraw(.normal), sink.sink.canWithdraw(.critical) {
      // The channel asks people to acknowledge only critical messages.
      (settings.alert.urgency, settings.lists) = (.critical, [])
    }
    let zone = try belfry.configuredZone()
    let planner = Planner(floatingZone: zone, zones: belfry.zones)
    let now = belfry.time.now
    let due = try planner.resolve(zone.wallTime(at: now), in: zone)
    let uuid = UUID()
    let itemContent = ItemContent(
      text: Self.text(sink.name), notes: nil, shouldRemind: true, alerts: [.zero], nag: nil, category: nil, key: nil,
      tags: .empty, priority: nil, properties: [])
    var item = Item(id: 0, uuid: uuid, listID: 0, position: 0, content: itemContent, createdAt: now.wholeSeconds)
    item.due = due
    let occurrence = Occurrence(owner: .item(0), wallTime: due.local, lead: .zero)
    let reminder = Reminder(
      id: occurrence.reminderID(ownerUUID: uuid), occurrence: occurrence, fireDate: due.instant, state: .fired,
      changedAt: now.wholeSeconds)
    let listing = ItemListing(item: item, listName: belfry.settings.defaultList, nextFireDate: nil)
    let content = ReminderContent(
      reminder: reminder, subject: .item(listing), settings: settings, badge: 0, planner: planner, now: now)
    // Without a source of replies, an answer reaches this program only if the caller waits for it.
    let isAnswered = waitsForAnswer || sink.sink.replySource != nil
    let tokens = try isAnswered ? belfry.store.read { try sink.tokens(claimedAt: now.wholeSeconds, in: $0) } : nil
    return Message(
      id: UUID(), sink: sink.name, contents: [ReminderContent(test: content)], createdAt: now.wholeSeconds,
      tokens: tokens)
  }
}
