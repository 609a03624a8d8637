import BelfryCore
import Foundation

/// The loop of `belfryd`: ticks at the minute, follows what happens in between, ends when asked.
public struct Daemon {
  /// How long what is in flight may take after a stop, in seconds.
  static let shutdownGrace: Double = 5
  /// How long to wait after the store failed, in seconds.
  static let faultPause: Double = 5

  private let belfry: Belfry
  private let scheduler: Scheduler
  private let waker: Waker
  private let log: EventLog

  /// A daemon over Belfry's store for the enabled sinks.
  public init(belfry: Belfry, sinks: [ActiveSink], waker: Waker, log: @escaping EventLog) {
    self.belfry = belfry
    self.waker = waker
    self.log = log
    scheduler = Scheduler(
      belfry: belfry, sinks: sinks, random: { Double.random(in: 0..<1) }, log: log, wake: waker.wake)
  }

  /// Rings until SIGTERM or SIGINT.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` where another daemon has the store, and what the store throws at the start;
  ///   a store that fails later is logged and tried again.
  public func run() throws {
    let lock = try belfry.store.lockForDaemon()
    defer { lock.release() }
    try scheduler.start()
    log(Event(.info, "started on \(belfry.store.location)"))
    var next = belfry.time.now
    var reason: WakeReason = .time
    while !reason.contains(.stop) {
      do {
        if belfry.time.now >= next || reason.contains(.time) {
          next = try scheduler.tick()
          try scheduler.tidyWhenIdle()
        } else {
          try scheduler.drain()
        }
      } catch {
        // Nothing is lost: what was not recorded is recorded next time, what was not claimed is still scheduled.
        log(Event(.error, "\(error)"))
        next = belfry.time.now.addingTimeInterval(Self.faultPause)
      }
      reason = waker.wait(until: next)
    }
    finish()
    log(Event(.info, "stopped"))
  }

  /// Delivers what is due, waits until every attempt has ended, and returns.
  ///
  /// - Returns: whether something due was put off to a later attempt.
  public func runOnce() throws -> Bool {
    let lock = try belfry.store.lockForDaemon()
    defer { lock.release() }
    try scheduler.start()
    _ = try scheduler.tick()
    while scheduler.inFlightCount > 0 {
      let reason = waker.wait(until: belfry.time.now.addingTimeInterval(Self.faultPause))
      if reason.contains(.stop) {
        finish()
        break
      }
      try scheduler.drain()
    }
    try scheduler.tidyWhenIdle()
    return try belfry.hasDeferredDeliveries()
  }

  // No new claims; what is in flight has its grace, then stays pending for the next start.
  private func finish() {
    scheduler.stop()
    let end = belfry.time.now.addingTimeInterval(Self.shutdownGrace)
    while scheduler.inFlightCount > 0, belfry.time.now < end {
      _ = waker.wait(until: end)
      do { try scheduler.drain() } catch { log(Event(.error, "\(error)")) }
    }
    if scheduler.inFlightCount > 0 {
      log(Event(.warning, "\(scheduler.inFlightCount) deliveries stay pending for the next start"))
    }
  }
}
