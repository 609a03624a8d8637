import BelfryEngine
import Foundation
import Synchronization

/// A daemon without a clock and a thread of its own: a test moves the time, says when to tick and waits for what follows.
public final class TestDaemon {
  /// The scheduler that does the work.
  public let scheduler: Scheduler
  private let log: RecordingLog
  private let wakes: AsyncStream<Void>

  /// Starts a daemon over Belfry's store for these sinks.
  ///
  /// - Parameter random: the share of jitter that every retry gets, 0 to 1.
  /// - Throws: what the store throws.
  public init(_ belfry: Belfry, sinks: [ActiveSink], random: Double = 0) throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let log = RecordingLog()
    self.wakes = wakes
    self.log = log
    scheduler = Scheduler(
      belfry: belfry, sinks: sinks, random: { random }, log: log.append, wake: { wake.yield() })
    try scheduler.start()
  }

  /// What the daemon has told its log so far.
  public var events: [Event] { log.events }

  /// One tick, and everything that follows from it at this instant.
  ///
  /// - Parameter hanging: how many attempts the test holds up.
  /// - Returns: the instant of the next tick.
  /// - Throws: what the store throws.
  @discardableResult
  public func tick(hanging: Int = 0) async throws -> Date {
    let next = try scheduler.tick()
    try await settle(hanging: hanging)
    return next
  }

  /// Waits until no more attempts are under way than the test holds up, and records what ended.
  ///
  /// - Returns: the instant of the next attempt, if what ended asked for one.
  /// - Throws: what the store throws, and `CancellationError` when the test's time is over.
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

/// A log that a test can read.
private final class RecordingLog: Sendable {
  private let recorded = Mutex<[Event]>([])

  var events: [Event] { recorded.withLock { $0 } }

  @Sendable func append(_ event: Event) { recorded.withLock { $0.append(event) } }
}
