import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import SQLiteStore
import Testing

/// A machine with its own clock and zone, Belfry's commands, and a daemon that can be started and stopped.
final class SimulatedMachine {
  /// A reminder in an attempt of a sink.
  struct Ringing: Hashable {
    /// The instant of the attempt.
    let instant: Date
    let reminder: Reminder
    let content: ReminderContent
    let attempt: DeliveryAttempt
  }

  private static let zoneInfo = "/usr/share/zoneinfo"
  /// The most ticks at one instant: each step of an escalation may make the next one due.
  private static let mostTicks = 10

  let time: ManualTimeSource
  let store: SQLiteStore
  /// The attempts of all sinks that this machine has.
  let journal = AttemptJournal()
  /// The times in which sinks take nothing, by the sink's name.
  var faults: [String: [ScenarioSink.Fault]] = [:]
  var settings = Settings()
  var sinks: [ActiveSink]
  /// True while the machine sleeps: its daemon does nothing.
  var isAsleep = false
  /// Every reminder that was sent, in order of the attempts.
  private(set) var ringings: [Ringing] = []
  private let folder: TemporaryFolder
  private let zones: ZoneDatabase
  private var daemon: TestDaemon?
  private var jumps = 0
  /// The minute after an event, in which the daemon ticks even if nothing is scheduled.
  private var nextLook: Date?

  init(clock: Date, zone: String) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    store = SQLiteStore(path: folder.file("belfry.sqlite"))
    time = ManualTimeSource(clock)
    zones = ZoneDatabase(environment: ["TZDIR": Self.zoneInfo], root: folder.path)
    sinks = [ActiveSink(name: "recorder", sink: ScenarioSink(journal: journal))]
    try FileManager.default.createDirectory(atPath: folder.file("etc"), withIntermediateDirectories: false)
    try move(to: zone)
  }

  /// The use cases, with settings read again by each command.
  var belfry: Belfry { Belfry(store: store, settings: settings, time: time, zones: zones) }

  /// Moves the machine to another zone, which the daemon notices in the next minute.
  func move(to zone: String) throws {
    let link = folder.file("etc/localtime")
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(Self.zoneInfo)/\(zone)")
    lookInAMinute()
  }

  /// Starts or restarts the daemon.
  func startDaemon(isAfterCrash: Bool = false) async throws {
    daemon = try TestDaemon(belfry, sinks: sinks, isAfterCrash: isAfterCrash)
    try await tick()
  }

  func stopDaemon() { daemon = nil }

  /// Makes a running daemon reload its config.
  func reload() async throws {
    guard let daemon else { return }
    try daemon.scheduler.reload(belfry, sinks: sinks)
    try await tick()
  }

  /// Sets the clock, which the daemon notices at once.
  func setClock(to instant: Date) async throws {
    time.now = instant
    try await tick()
    lookInAMinute()
  }

  /// Makes the daemon tick in the next minute even if nothing is scheduled.
  func lookInAMinute() { nextLook = time.now.nextMinute }

  /// Advances the clock. A running daemon ticks at each instant at which something has to be claimed or sent.
  func advance(to end: Date) async throws {
    while daemon != nil, !isAsleep, let next = try nextInstant(), next <= end {
      jumps += 1
      // Some wake-ups are 1 to 999 ms early.
      let early = next.addingTimeInterval(-Double(jumps * 7 % 999 + 1) / 1_000)
      if jumps.isMultiple(of: 4), nextLook == nil, early > time.now {
        time.now = early
        try await tick()
      }
      time.now = next
      if let look = nextLook, look <= next { nextLook = nil }
      try await tick()
    }
    time.now = end
  }

  /// Ticks of a running daemon, with all deliveries that they start, until nothing more is due.
  func tick() async throws {
    guard let daemon, !isAsleep else { return }
    // Earlier claims are sent before anything else is claimed.
    if try hasDueDelivery() { try await send(daemon) }
    var ticks = 0
    repeat {
      let next = try daemon.scheduler.tick()
      let expected = min(time.now.nextMinute, try nextAttempt() ?? .distantFuture)
      #expect(next == expected, "the next minute or the next attempt is the next instant to look at")
      try await daemon.settle()
      ticks += 1
    } while try ticks < Self.mostTicks && belfry.hasDueReminders()
    #expect(ticks < Self.mostTicks, "something is due again and again")
    try daemon.scheduler.tidyWhenIdle()
    try noteRingings()
  }

  /// Lets the daemon notice what others have changed, between two ticks.
  func noticeChange() async throws {
    guard let daemon, !isAsleep else { return }
    try await send(daemon)
    try noteRingings()
  }

  private func send(_ daemon: TestDaemon) async throws {
    try daemon.scheduler.storeChanged()
    try await daemon.settle()
  }

  private func nextInstant() throws -> Date? {
    var minute = nextLook
    try store.read { view in
      try view.forEachPending(limit: 1) { minute = min(minute ?? .distantFuture, $0.reminder.fireDate.date) }
    }
    return [minute.map { max($0, time.now.nextMinute) }, try nextAttempt()].compactMap(\.self).min()
  }

  /// The next attempt that lies in the future.
  private func nextAttempt() throws -> Date? { try pendingAttempts().filter { $0 > time.now }.min() }

  private func hasDueDelivery() throws -> Bool { try pendingAttempts().contains { $0 <= time.now } }

  private func pendingAttempts() throws -> [Date] {
    try store.read { view in
      var attempts: [Date?] = []
      try view.forEachDelivery(state: .pending, limit: nil) { delivery, _ in attempts.append(delivery.nextAttemptAt) }
      return attempts.compactMap(\.self)
    }
  }

  private func noteRingings() throws {
    let attempts = journal.removeAll()
    guard !attempts.isEmpty else { return }
    try store.read { view in
      for attempt in attempts {
        for content in attempt.message.contents {
          let reminder = try #require(try view.reminder(id: content.reminderID))
          ringings.append(
            Ringing(instant: attempt.startedAt, reminder: reminder, content: content, attempt: attempt))
        }
      }
    }
  }
}
