import BelfryEngine
import BelfryModel
import BelfryRuntime
import CLinuxEvents
import FoundationEssentials
import SystemThreads
import Transport

/// The main loop of `belfryd`: ticks at each minute, handles results and signals in between, ends on a signal.
package final class Daemon {
  /// The seconds that deliveries in flight may take after a stop; the process ends within five.
  static let shutdownGrace: Double = 4.5
  /// The seconds for which the first tick waits for earlier answers. More may arrive later.
  static let answerGrace: Double = 5
  /// The seconds for which a single run waits for earlier answers, since it gets none later.
  static let singleAnswerGrace: Double = 20
  /// The pause after a failure of the store, in seconds.
  static let faultPause: Double = 5

  package typealias Reload = () throws -> (belfry: Belfry, sinks: [ActiveSink])

  private var belfry: Belfry
  private let monitoring: Monitoring
  private let scheduler: Scheduler
  private let inboxes: Inboxes
  private let waker: Waker
  private let manager: ServiceManager?
  private let log: EventLog
  private let reload: Reload
  private let wait: StoreWait
  private var faults: RepeatedFaults
  /// The leases of the sinks whose inboxes are open.
  private var openLeases: [String: Int64]?

  /// A daemon on Belfry's store for the enabled sinks.
  ///
  /// - Parameters:
  ///   - http: the heartbeat's transport.
  ///   - manager: the service manager to notify.
  ///   - reload: called on SIGHUP; its error is logged, and the config in use stays.
  package init(
    belfry: Belfry, sinks: [ActiveSink], waker: Waker, http: any HTTPTransport, manager: ServiceManager? = nil,
    log: @escaping EventLog, reload: @escaping Reload
  ) {
    monitoring = Monitoring(http: http, log: log)
    var belfry = belfry
    belfry.stop = waker.stop
    self.belfry = belfry
    self.waker = waker
    self.manager = manager
    self.log = log
    self.reload = reload
    wait = StoreWait(for: belfry.store.location, time: belfry.time, log: log)
    faults = RepeatedFaults(log: log)
    scheduler = Scheduler(
      belfry: belfry, sinks: sinks, random: { Double.random(in: 0..<1) }, log: log, wake: waker.wake)
    inboxes = Inboxes(
      waits: waker.tasks, random: { Double.random(in: 0..<1) }, log: log, changed: waker.wakeForAnswer)
  }

  /// Rings until SIGTERM or SIGINT.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` if another daemon has the store, and the errors of the store at the start. A
  ///   later failure of the store is logged, and the tick is repeated.
  package func run() throws {
    let lock = try wait.during { try belfry.store.joinDaemons(waker.wakeForAnswer) }
    var isOrderly = !lock.wasAbandoned
    defer { if isOrderly { lock.release() } else { lock.abandon() } }
    // If this daemon has lost the lead meanwhile, the first tick handles that.
    do { try wait.during { try scheduler.start(lock) } } catch is NoLongerLeads {}
    isOrderly = false
    if let reason = manager?.ready() {
      log(Event(.warning, "the service manager cannot be notified: \(reason)"))
    }
    log(Event(.info, "started on \(belfry.store.location)"))
    var reason = takeUpAnswers(within: Self.answerGrace)
    openInboxes()
    let watch = storeWatch()
    var next = belfry.time.now
    var nextLook = Date.distantFuture
    // False while the service manager shows a failure.
    var hasSentState = false
    reason.insert(belfry.stop.wasMade ? .stop : .time)
    while !reason.contains(.stop) {
      do {
        if reason.contains(.reload) { next = try reloadConfig() ? belfry.time.now : next }
        if reason.contains(.store) { watch?.drain(at: belfry.time.now) }
        let isLookDue = watch?.isLookDue(at: belfry.time.now) ?? false
        let isEarly = isLookDue || belfry.time.now >= nextLook
        if belfry.time.now >= next || reason.contains(.time) && !isEarly {
          next = try wait.during { try scheduler.tick() }
          faults.end()
          monitoring.ticked(belfry)
          // Sending the state counts all records.
          if !scheduler.isResting || !hasSentState { try manager?.sendState(of: belfry) }
          hasSentState = true
          // Returns the memory of the start or a burst to the system.
          if try scheduler.tidyWhenIdle() { belfry_return_memory() }
        } else {
          next = try wait.during {
            let isChanged = try reason.contains(.answer) || isLookDue && belfry.store.wasChangedElsewhere()
            let retry = try isChanged ? scheduler.storeChanged() : scheduler.drain()
            return min(next, retry ?? next)
          }
        }
      } catch is Stopped {
        // The transaction is rolled back, and the wait ends at once.
      } catch is NoLongerLeads {
        // The transaction is rolled back. The daemon goes on with its new role.
        next = belfry.time.now
      } catch {
        // Nothing is lost: unrecorded results are recorded next time, and unclaimed reminders are still scheduled.
        let event = Event(.error, error)
        faults.report(event, at: belfry.time.now)
        manager?.status(event.message)
        hasSentState = false
        next = belfry.time.now.addingTimeInterval(Self.faultPause)
      }
      if scheduler.part.sinks != openLeases { openInboxes() }
      nextLook = scheduler.nextLook ?? .distantFuture
      reason = waker.wait(until: min(next, nextLook, watch?.nextLook ?? next), watching: watch)
      // Only the loop pings, so a loop that hangs does not ping.
      if reason.contains(.ping) { manager?.ping() }
    }
    manager?.stopping()
    isOrderly = finish()
    log(Event(.info, "stopped"))
  }

  // Only the daemon that has a sink may receive its answers.
  private func openInboxes() {
    openLeases = scheduler.part.sinks
    inboxes.open(belfry, sinks: scheduler.ownSinks)
  }

  // Without a watch, changes by other processes are noticed at the next minute.
  private func storeWatch() -> StoreWatch? {
    do {
      let store = belfry.store
      return try store.watchedFile.map { try StoreWatch(file: $0, folders: { store.watchedFolders }) }
    } catch {
      log(Event(.warning, error))
      return nil
    }
  }

  /// Delivers all due reminders and waits until every attempt has ended.
  ///
  /// - Returns: whether a due delivery was deferred to a later attempt.
  func runOnce() throws -> Bool {
    let lock = try belfry.store.lockForDaemon()
    var isOrderly = !lock.wasAbandoned
    defer { if isOrderly { lock.release() } else { lock.abandon() } }
    try scheduler.start(lock)
    isOrderly = false
    _ = takeUpAnswers(within: Self.singleAnswerGrace)
    do { _ = try scheduler.tick() } catch is Stopped {}
    while scheduler.inFlightCount > 0, !belfry.stop.wasMade {
      let end = belfry.time.now.addingTimeInterval(Self.faultPause)
      _ = waker.wait(until: min(end, scheduler.nextLook ?? end))
      try scheduler.drain()
    }
    let isStopped = belfry.stop.wasMade
    isOrderly = isStopped ? finish() : true
    guard !isStopped else {
      return try belfry.hasDeferredDeliveries() || belfry.hasDueReminders()
    }
    monitoring.ticked(belfry)
    try scheduler.tidyWhenIdle()
    return try belfry.hasDeferredDeliveries()
  }

  // Takes up earlier answers before any reminder fires. Returns the reasons for which it woke meanwhile.
  private func takeUpAnswers(within seconds: Double) -> WakeReason {
    inboxes.takeUp(belfry, sinks: scheduler.ownSinks, within: seconds, ended: waker.wake)
    var reasons: WakeReason = []
    while inboxes.isTakingUp, !belfry.stop.wasMade {
      let reason = waker.wait(until: .distantFuture)
      if reason.contains(.ping) { manager?.ping() }
      reasons.formUnion(reason)
    }
    inboxes.close()
    return reasons
  }

  // A bad config is ignored, and so is a config with another store, since this daemon does not hold that store's lock.
  private func reloadConfig() throws -> Bool {
    manager?.reloading()
    defer { manager?.ready() }
    let config: (belfry: Belfry, sinks: [ActiveSink])
    do {
      config = try reload()
    } catch {
      for event in ProgramLog.events(of: error) { log(event) }
      log(Event(.error, "the config was not reloaded: the previous one stays in use"))
      return false
    }
    guard config.belfry.store.location == belfry.store.location else {
      log(Event(.error, "the config names another store: restart the daemon to use \(config.belfry.store.location)"))
      return false
    }
    // The open store stays in use, with its lock and its connection.
    var reloaded = Belfry(
      store: belfry.store, settings: config.belfry.settings, time: config.belfry.time, zones: config.belfry.zones)
    reloaded.stop = belfry.stop
    belfry = reloaded
    // If the store fails now, the next tick opens the sinks.
    defer { openInboxes() }
    // If this daemon has lost the lead meanwhile, the next tick handles that.
    do { try scheduler.reload(reloaded, sinks: config.sinks) } catch is NoLongerLeads {}
    log(Event(.info, "the config was reloaded: \(counted(config.sinks.count, "sink"))"))
    return true
  }

  // Claims no more reminders. Deliveries in flight have a grace period, then stay pending for the next start. Returns
  // whether every attempt is recorded.
  private func finish() -> Bool {
    inboxes.close()
    scheduler.stop()
    var isRecorded = true
    let end = belfry.time.now.addingTimeInterval(Self.shutdownGrace - (waker.stopAge ?? 0))
    while scheduler.inFlightCount > 0, belfry.time.now < end {
      _ = waker.wait(until: min(end, scheduler.nextLook ?? end))
      do { try scheduler.drain() } catch { log(Event(.error, error)) }
    }
    let left = scheduler.inFlightCount
    if left > 0 {
      do {
        _ = try scheduler.abandon()
      } catch {
        log(Event(.error, error))
        isRecorded = false
      }
      log(
        Event(
          .warning, "\(left == 1 ? "1 delivery stays" : "\(left) deliveries stay") pending for the next start"))
    }
    return isRecorded
  }
}
