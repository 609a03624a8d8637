import CivilTime
import Foundation
import Synchronization

/// A clock that stands still until it is moved. May be used from any thread.
public final class ManualTimeSource: TimeSource {
  private let instant: Mutex<Date>

  /// A clock that shows this instant.
  public init(_ instant: Date = Sample.now) { self.instant = Mutex(instant) }

  /// The instant that the clock shows; setting it to an earlier one turns the clock back.
  public var now: Date {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }

  /// Moves the clock by so many seconds, back where negative.
  public func advance(by seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}
