import BelfryEngine
import Foundation
import Synchronization

/// A daemon without a clock or thread of its own: a test moves the time, runs each tick, and waits for its effects.
public final class TestDaemon {
  /// The scheduler that does the work.
  public let scheduler: Scheduler
  private let log: RecordingLog
  private let wakes: AsyncStream<Void>

  /// Starts a daemon over Belfry's store for these sinks.
  ///
  /// - Parameters:
  ///   - random: the share of jitter that every retry gets, 0 to 1.
  ///   - isAfterCrash: whether the daemon before was killed.
  ///   - lock: its place at a store that others share; `nil` if it has the store to itself.
  /// - Throws: the errors of the store.
  public init(
    _ belfry: Belfry, sinks: [ActiveSink], random: Double = 0, isAfterCrash: Bool = false,
    lock: (any DaemonLock)? = nil
  ) throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let log = RecordingLog()
    self.wakes = wakes
    self.log = log
    scheduler = Scheduler(
      belfry: belfry, sinks: sinks, random: { random }, log: log.append, wake: { wake.yield() })
    try scheduler.start(lock ?? SoleDaemon(wasAbandoned: isAfterCrash))
  }

  /// The events logged so far.
  public var events: [Event] { log.events }

  /// Runs one tick and all deliveries that follow from it at this instant.
  ///
  /// - Parameter hanging: the number of attempts that the test keeps from ending.
  /// - Returns: the instant of the next tick.
  /// - Throws: errors of the store.
  @discardableResult
  public func tick(hanging: Int = 0) async throws -> Date {
    let next = try scheduler.tick()
    try await settle(hanging: hanging)
    return next
  }

  /// Waits until the scheduler calls for a round: an attempt has ended, or is to be begun anew.
  ///
  /// - Throws: `CancellationError` at the test's time limit.
  public func waitForWake() async throws {
    var wakes = wakes.makeAsyncIterator()
    guard await wakes.next() != nil else { throw CancellationError() }
  }

  /// Waits until only the attempts are in flight that the test keeps from ending, and records the other outcomes.
  ///
  /// - Returns: the instant of the next retry, if an outcome asked for one.
  /// - Throws: errors of the store, and `CancellationError` at the test's time limit.
  @discardableResult
  public func settle(hanging: Int = 0) async throws -> Date? {
    var next = try scheduler.drain()
    var wakes = wakes.makeAsyncIterator()
    while scheduler.inFlightCount > hanging {
      guard await wakes.next() != nil else { throw CancellationError() }
      next = try scheduler.drain() ?? next
    }
    return next
  }
}

/// A log that tests can read.
private final class RecordingLog: Sendable {
  private let recorded = Mutex<[Event]>([])

  var events: [Event] { recorded.withLock { $0 } }

  @Sendable func append(_ event: Event) { recorded.withLock { $0.append(event) } }
}
