import BelfryTestKit
import Foundation
import Synchronization
@testable import BelfryEngine
@testable import BelfryModel

/// A store that several daemons may share: it counts no changes, so that each begin is committed. It may be slow.
final class SharedStore: FrontStore {
  private struct Delays {
    var commit = 0.0
    var read = 0.0
    var whileCommitting: (@Sendable () throws -> Void)?
    var lostBegins: Set<Int64> = []
  }

  let store: any ItemStore
  private let time: ManualTimeSource?
  private let delays = Mutex(Delays())

  /// - Parameter time: the clock that moves while it is slow.
  init(_ store: any ItemStore, time: ManualTimeSource? = nil) { (self.store, self.time) = (store, time) }

  /// The seconds from the commit of a change until its maker knows of it.
  var commitDelay: Double {
    get { delays.withLock { $0.commit } }
    set { delays.withLock { $0.commit = newValue } }
  }

  /// The seconds from a reading until its result is known.
  var readDelay: Double {
    get { delays.withLock { $0.read } }
    set { delays.withLock { $0.read = newValue } }
  }

  /// The deliveries that another daemon has begun anew.
  var lostBegins: Set<Int64> {
    get { delays.withLock { $0.lostBegins } }
    set { delays.withLock { $0.lostBegins = newValue } }
  }

  /// Has something happen once, after the next change was committed and before its maker knows.
  func whileCommitting(_ work: @escaping @Sendable () throws -> Void) { delays.withLock { $0.whileCommitting = work } }

  var location: String { store.location }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    let result = try store.read(body)
    time?.uptime += readDelay
    time?.advance(by: readDelay)
    return result
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    let result = try store.write(body)
    time?.uptime += commitDelay
    let work = delays.withLock { delays in
      defer { delays.whileCommitting = nil }
      return delays.whileCommitting
    }
    try work?()
    return result
  }

  func deliver<Result>(
    _ begins: DeliveryBegins, _ body: (any StoreTransaction, Set<Int64>) throws -> Result
  ) throws -> Result {
    let lost = lostBegins
    return try write { try body($0, Set(begins.keys).subtracting(lost)) }
  }
}
