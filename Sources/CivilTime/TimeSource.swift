import FoundationEssentials
import Glibc

/// A source of the current time; all code that needs "now" gets one.
///
/// Tests inject a source that they advance by hand, so that no test waits.
public protocol TimeSource: Sendable {
  /// The current instant, as precise as the source.
  var now: Date { get }

  /// The seconds since the machine was started, sleep included. It cannot be set.
  var uptime: Double { get }
}

/// The machine's wall clock. No other code in Belfry reads it.
public struct SystemTimeSource: TimeSource {
  /// A source that reads the clock at each call.
  public init() {}

  /// The machine's clock, which may be set forward or back.
  public var now: Date { Date() }

  /// The machine's time since its start (CLOCK_BOOTTIME).
  public var uptime: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
