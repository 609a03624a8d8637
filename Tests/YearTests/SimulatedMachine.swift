import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// A machine with its own clock and zone, Belfry's commands, and a daemon, or several on one store, that can be started
/// and stopped.
final class SimulatedMachine {
  /// A reminder in an attempt of a sink.
  struct Ringing: Hashable {
    /// The instant of the attempt.
    let instant: Date
    let reminder: Reminder
    let content: ReminderContent
    let attempt: DeliveryAttempt
  }

  private struct Member {
    let daemon: TestDaemon
    let store: any ItemStore
    /// Its place among several daemons; `nil` if it has the store to itself.
    var lock: (any DaemonLock)?
  }

  private static let zoneInfo = "/usr/share/zoneinfo"
  /// The most ticks at one instant: each step of an escalation may make the next one due.
  private static let mostTicks = 10

  let time: ManualTimeSource
  let store: any ItemStore
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
  /// The connections of several daemons to the store; empty for a daemon that has it to itself.
  private let fleet: [any ItemStore]
  private var daemons: [Member] = []
  private var jumps = 0
  /// The minute after an event, in which the daemon ticks even if nothing is scheduled.
  private var nextLook: Date?

  /// - Parameters:
  ///   - store: the store of the commands; `nil` for one of its own.
  ///   - fleet: the connections of several daemons to that store, one for each.
  init(clock: Date, zone: String, store: (any ItemStore)? = nil, fleet: [any ItemStore] = []) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    self.store = store ?? SQLiteStore(path: folder.file("belfry.sqlite"))
    self.fleet = fleet
    time = ManualTimeSource(clock)
    zones = ZoneDatabase(environment: ["TZDIR": Self.zoneInfo], root: folder.path)
    sinks = [ActiveSink(name: "recorder", sink: ScenarioSink(journal: journal))]
    try FileManager.default.createDirectory(atPath: folder.file("etc"), withIntermediateDirectories: false)
    try move(to: zone)
  }

  /// The use cases, with settings read again by each command.
  var belfry: Belfry { belfry(over: store) }

  private func belfry(over store: any ItemStore) -> Belfry {
    Belfry(store: store, settings: settings, time: time, zones: zones)
  }

  /// Moves the machine to another zone, which the daemon notices in the next minute.
  func move(to zone: String) throws {
    let link = folder.file("etc/localtime")
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(Self.zoneInfo)/\(zone)")
    lookInAMinute()
  }

  /// Starts or restarts the daemon, or all of several.
  func startDaemon(isAfterCrash: Bool = false) async throws {
    stopDaemon()
    if fleet.isEmpty {
      let daemon = try TestDaemon(belfry, sinks: sinks, isAfterCrash: isAfterCrash)
      daemons = [Member(daemon: daemon, store: store)]
    }
    for store in fleet { try join(store) }
    try await tick()
  }

  func stopDaemon() {
    for member in daemons { member.lock?.release() }
    daemons = []
  }

  private func join(_ store: any ItemStore) throws {
    let lock = try store.joinDaemons {}
    let daemon = try TestDaemon(belfry(over: store), sinks: sinks, lock: lock)
    daemons.append(Member(daemon: daemon, store: store, lock: lock))
  }

  /// Ends the oldest of several daemons, in order or as by a crash, and starts another one.
  func replaceDaemon(isCrash: Bool) throws {
    guard let oldest = daemons.first, let lock = oldest.lock else { return }
    daemons.removeFirst()
    if isCrash { lock.abandon() } else { lock.release() }
    try join(oldest.store)
  }

  /// Makes the running daemons reload their config.
  func reload() async throws {
    for member in daemons { try member.daemon.scheduler.reload(belfry(over: member.store), sinks: sinks) }
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
    while !daemons.isEmpty, !isAsleep, let next = try nextInstant(), next <= end {
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
    guard !daemons.isEmpty, !isAsleep else { return }
    try await shareSinks()
    // Earlier claims are sent before anything else is claimed.
    if try hasDueDelivery() { try await send() }
    var ticks = 0
    repeat {
      for member in daemons {
        let next = try member.daemon.scheduler.tick()
        // One of several looks for the work of the others sooner.
        let expected = min(time.now.nextMinute, try nextAttempt() ?? .distantFuture)
        #expect(member.lock != nil || next == expected, "the next minute or attempt is the next instant to look at")
        try await member.daemon.settle()
      }
      ticks += 1
    } while try ticks < Self.mostTicks && (belfry.hasDueReminders() || !fleet.isEmpty && hasDueDelivery())
    #expect(ticks < Self.mostTicks, "something is due again and again")
    for member in daemons { try member.daemon.scheduler.tidyWhenIdle() }
    try noteRingings()
  }

  // Waits until one of several daemons leads, and each sink has one.
  private func shareSinks() async throws {
    guard !fleet.isEmpty else { return }
    let names = sinks.map(\.name).sorted()
    try await waitUntil {
      let parts = try daemons.map { member in
        do { try member.daemon.scheduler.drain() } catch is NoLongerLeads {}
        return member.daemon.scheduler.part
      }
      return parts.count(where: \.leads) == 1 && parts.flatMap { $0.sinks?.keys.map(\.self) ?? [] }.sorted() == names
    }
  }

  /// Lets the daemon notice what others have changed, between two ticks.
  func noticeChange() async throws {
    guard !daemons.isEmpty, !isAsleep else { return }
    try await send()
    try noteRingings()
  }

  private func send() async throws {
    for member in daemons {
      try member.daemon.scheduler.storeChanged()
      try await member.daemon.settle()
    }
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
