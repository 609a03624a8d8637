import BelfryEngine
import BelfryTestKit
import CivilTime
import Foundation
import PostgresStore
import SQLRecords
import Synchronization

/// The store of a daemon with a flaw.
struct TrialStore: FrontStore {
  let base: PostgresStore
  let flaw: Flaw?
  let clock: TrialClock

  var store: any ItemStore { base }
  var location: String { base.location }
  var identity: String? { base.identity }

  func joinDaemons(_ changed: @escaping @Sendable () -> Void) throws -> any DaemonLock {
    TrialLock(base: try base.joinDaemons(changed), flaw: flaw)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try committing { end in
      try base.write { transaction in
        defer { end = clock.true }
        return try flawed(transaction, body)
      }
    }
  }

  func deliver<Result>(
    _ begins: DeliveryBegins, _ body: (any StoreTransaction, Set<Int64>) throws -> Result
  ) throws -> Result {
    try committing { end in
      try base.deliver(begins) { transaction, holding in
        defer { end = clock.true }
        return try flawed(transaction) { try body($0, holding) }
      }
    }
  }

  private func committing<Result>(_ change: (inout Double) throws -> Result) throws -> Result {
    var end = clock.true
    let result = try change(&end)
    if flaw == .lateSecond { clock.leaveOut(clock.true - end) }
    // What it has recorded is sent after a while.
    if flaw == .recordsFirst { poll(nil, 0, 300) }
    return result
  }

  private func flawed<Result>(
    _ transaction: any StoreTransaction, _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    guard let flaw, let sound = transaction as? SQLTransaction else { return try body(transaction) }
    let flawed = SQLTransaction(sound.connection, try FlawedDialect(sound.dialect, flaw), sound.numbers)
    defer { sound.numbers = flawed.numbers }
    return try body(flawed)
  }
}

/// The place of a daemon with a flaw among the others.
private final class TrialLock: DaemonLock {
  private let base: any DaemonLock
  private let flaw: Flaw?

  init(base: any DaemonLock, flaw: Flaw?) { (self.base, self.flaw) = (base, flaw) }

  var wasAbandoned: Bool { base.wasAbandoned }

  var part: DaemonPart {
    var part = base.part
    if flaw == .noPoll { part.poll = 3_600 }
    return part
  }

  func offer(_ offer: DaemonOffer) throws { try base.offer(offer) }
  func giveUp(_ sinks: Set<String>) { base.giveUp(sinks) }
  func callOthers() { base.callOthers() }
  func release() { base.release() }
  func abandon() { base.abandon() }
}

/// The machine's clock, whose uptime can leave out spans.
final class TrialClock: TimeSource {
  private let system = SystemTimeSource()
  private let leftOut = Mutex(0.0)

  var now: Date { system.now }
  var uptime: Double { system.uptime - leftOut.withLock { $0 } }
  /// The uptime that leaves nothing out.
  var `true`: Double { system.uptime }

  func leaveOut(_ seconds: Double) { leftOut.withLock { $0 += seconds } }
}
