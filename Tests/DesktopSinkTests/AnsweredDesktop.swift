import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore
import Synchronization
import TestSupport

@testable import DesktopSink

/// A store with an item that rings on a desktop, whose presses are answers.
final class AnsweredDesktop {
  let bus: SessionBus
  let server: NotificationCollector
  let sink: DesktopSink
  let store = FailingStore(MemoryStore())
  let belfry: Belfry
  let daemon: TestDaemon
  private let time = ManualTimeSource()
  private let lines = Lines()
  private let inboxes: Inboxes
  private let links: (any AnswerLinks)?

  /// - Parameter hasPages: whether each reminder has a page.
  init(
    hasPortal: Bool = false, hasPages: Bool = false, people: [Person] = [],
    capabilities: [String] = NotificationCollector.usualCapabilities
  ) throws {
    links = hasPages ? Pages() : nil
    bus = try SessionBus()
    server = try NotificationCollector(on: bus, capabilities: capabilities, hasPortal: hasPortal)
    sink = Notifying.sink(on: bus)
    store.isFailing = false
    var settings = Notifying.settings
    settings.people = people
    belfry = Belfry(store: store, settings: settings, time: time, zones: Notifying.zones)
    inboxes = Inboxes(waits: PolledWaits(), random: { 0 }, log: lines.append, changed: {})
    daemon = try TestDaemon(belfry, sinks: [ActiveSink(name: "desk", sink: sink, links: links)])
  }

  /// The log lines about answers.
  var log: [String] { lines.texts }

  /// Adds an item and rings it.
  func ring() async throws -> NotificationCollector.Record {
    try await addAndTick()
    return try Check.present(server.records().last, "the notification")
  }

  /// Adds an item that rings now.
  func addAndTick() async throws {
    let draft = ItemDraft(text: "Buy milk", due: Zone.utc.wallTime(at: time.now + 60), shouldRemind: true)
    _ = try belfry.add([draft], to: ListChoice("Groceries", createsMissing: true))
    time.advance(by: 60)
    try await daemon.tick()
  }

  func waiting() throws -> [Delivery] {
    var waiting: [Delivery] = []
    try store.read { view in
      try view.forEachDelivery(state: .pending, limit: nil) { delivery, _ in waiting.append(delivery) }
    }
    return waiting
  }

  /// Receives answers as the daemon does, until ``close()``.
  func open() { inboxes.open(belfry, sinks: [ActiveSink(name: "desk", sink: sink)]) }

  func close() { inboxes.close() }

  /// Takes up the answers that arrived over the connection of a sink, by default of the one that rang.
  func receive(by other: DesktopSink? = nil) async throws -> ReceiveOutcome {
    let sink = other ?? sink
    // A signal that the server sends before its reply arrives before it.
    _ = await sink.probe()
    return try await sink.replySource?.receive(inbox(of: sink), waits: false) ?? .never(reason: "it receives nothing")
  }

  func inbox(of sink: DesktopSink) throws -> Inbox {
    let channel = try Check.present(sink.replySource, "the source of replies").channel
    let active = ActiveSink(name: "desk", sink: sink, links: links)
    return Inbox(
      active, over: channel, by: ReplyAuthors(belfry.settings, sinks: [active]), belfry: belfry, waits: PolledWaits(),
      log: lines.append, changed: {})
  }

  /// Waits until a condition holds.
  func wait(for condition: () throws -> Bool) async throws {
    let end = ContinuousClock.now + TimeLimit.patience
    while try !condition() {
      try Check.that(ContinuousClock.now < end, "waited in vain; log: \(log)")
      poll(nil, 0, 3)
    }
  }

  /// Waits until the waiting delivery is due. The receiver makes it due when a server appears, and when it connects.
  func waitUntilDue() async throws {
    try await wait { try waiting().first.map { ($0.nextAttemptAt ?? time.now) <= time.now } ?? false }
  }

  /// The answers kept, each with its action, channel and effect.
  func answers() throws -> [String] {
    try store.read { view in
      try view.answers(of: .item(1)).map { "\($0.action) \($0.channel.name) \($0.effect.name)" }
    }
  }

  func item() throws -> Item? { try store.read { try $0.item(id: 1)?.item } }
}

/// A log that tests can read.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var texts: [String] { lines.withLock { $0 } }

  @Sendable func append(_ event: Event) { lines.withLock { $0.append(event.message) } }
}

/// Pages whose addresses are good for nothing.
private struct Pages: AnswerLinks {
  func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens? { nil }

  func links(of message: Message) -> [ReminderLinks] { Sample.links(of: message) }

  func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]] { [] }

  func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press {
    throw .unknown
  }
}

/// Waits that poll by themselves.
private struct PolledWaits: TaskWaits {
  func until(_ instant: Date) async { while !Task.isCancelled, Date() < instant { poll(nil, 0, 5) } }

  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {
    var awaited = pollfd(fd: descriptor, events: events, revents: 0)
    while !Task.isCancelled, poll(&awaited, 1, 5) == 0, instant.map({ Date() < $0 }) ?? true {}
  }
}
