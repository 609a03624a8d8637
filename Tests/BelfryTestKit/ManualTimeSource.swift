import CivilTime
import Foundation
import Synchronization

/// A clock that stands still until a test moves it. Safe to use from any thread.
public final class ManualTimeSource: TimeSource {
  private let instant: Mutex<Date>
  private let sinceStart = Mutex(0.0)

  /// A clock set to an instant.
  public init(_ instant: Date = Sample.now) { self.instant = Mutex(instant) }

  /// The current instant. It may be set to an earlier one.
  public var now: Date {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }

  /// The seconds since the start, which stand still until a test sets them.
  public var uptime: Double {
    get { sinceStart.withLock { $0 } }
    set { sinceStart.withLock { $0 = newValue } }
  }

  /// Moves the clock by a number of seconds, which may be negative.
  public func advance(by seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}
