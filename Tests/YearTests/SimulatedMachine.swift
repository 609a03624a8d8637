import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import SQLiteStore
import Testing

/// A machine with its own clock and zone, Belfry's commands, and a daemon that can be started and stopped.
final class SimulatedMachine {
  /// A delivered reminder.
  struct Ringing: Hashable {
    /// The instant of its delivery.
    let instant: Date
    let reminder: Reminder
    let listName: String
  }

  private static let zoneInfo = "/usr/share/zoneinfo"

  let time: ManualTimeSource
  var settings = Settings()
  /// Every delivered reminder, in order.
  private(set) var ringings: [Ringing] = []
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let zones: ZoneDatabase
  private let sink = RecordingSink()
  private var scheduler: Scheduler?
  private var seenAttempts = 0
  private var jumps = 0
  /// The minute after an event, in which the daemon ticks even if nothing is scheduled.
  private var nextLook: Date?

  init(clock: Date, zone: String) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    store = SQLiteStore(path: folder.file("belfry.sqlite"))
    time = ManualTimeSource(clock)
    zones = ZoneDatabase(environment: ["TZDIR": Self.zoneInfo], root: folder.path)
    try FileManager.default.createDirectory(atPath: folder.file("etc"), withIntermediateDirectories: false)
    try move(to: zone)
  }

  /// The use cases, with settings read anew by each command.
  var belfry: Belfry { Belfry(store: store, settings: settings, time: time, zones: zones) }

  /// Moves the machine to another zone, which the daemon notices in the next minute.
  func move(to zone: String) throws {
    let link = folder.file("etc/localtime")
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(Self.zoneInfo)/\(zone)")
    lookInAMinute()
  }

  /// Starts or restarts the daemon.
  func startDaemon() async throws {
    let scheduler = Scheduler(
      belfry: belfry, sinks: [ActiveSink(name: "recorder", sink: sink)], random: { 0 }, log: { _ in }, wake: {})
    try scheduler.start()
    self.scheduler = scheduler
    try await tick()
  }

  func stopDaemon() { scheduler = nil }

  /// Sets the clock, which the daemon notices at once.
  func setClock(to instant: Date) async throws {
    time.now = instant
    try await tick()
    lookInAMinute()
  }

  /// Makes the daemon tick in the next minute even if nothing is scheduled.
  func lookInAMinute() { nextLook = time.now.nextMinute }

  /// Advances the clock. A running daemon ticks at each scheduled instant.
  func advance(to end: Date) async throws {
    while scheduler != nil, let next = try nextInstant(), next <= end {
      jumps += 1
      // Some wake-ups come 1 to 999 ms early.
      let early = next.addingTimeInterval(-Double(jumps * 7 % 999 + 1) / 1_000)
      if jumps.isMultiple(of: 4), nextLook == nil, early > time.now {
        time.now = early
        try await tick()
      }
      time.now = next
      nextLook = nil
      try await tick()
    }
    time.now = end
  }

  /// One tick of a running daemon, with all deliveries that it starts.
  func tick() async throws {
    guard let scheduler else { return }
    let now = time.now
    let next = try scheduler.tick()
    #expect(next == now.nextMinute, "with nothing to retry, the next minute is the next to look at")
    while scheduler.inFlightCount > 0 {
      try Task.checkCancellation()
      await Task.yield()
      try scheduler.drain()
    }
    try scheduler.tidyWhenIdle()
    try noteRingings()
  }

  private func nextInstant() throws -> Date? {
    var next = nextLook
    try store.read { view in
      try view.visitPending(limit: 1) { next = min(next ?? .distantFuture, $0.reminder.fireDate.date) }
    }
    return next.map { max($0, time.now.nextMinute) }
  }

  private func noteRingings() throws {
    let attempts = sink.attempts[seenAttempts...]
    guard !attempts.isEmpty else { return }
    seenAttempts += attempts.count
    try store.read { view in
      for attempt in attempts {
        let content = try #require(attempt.message.contents.first)
        let reminder = try #require(try view.reminder(id: content.reminderID))
        ringings.append(Ringing(instant: attempt.startedAt, reminder: reminder, listName: content.listName))
      }
    }
    let fireDates = ringings.suffix(attempts.count).map(\.reminder.fireDate)
    let isInOrder = zip(fireDates, fireDates.dropFirst()).allSatisfy { $0 <= $1 }
    #expect(isInOrder, "what is sent at one instant goes out in order of fire date")
  }
}
