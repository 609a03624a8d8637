import FoundationEssentials

/// A source of the current time; all code that needs "now" gets one.
///
/// Tests inject a source that they advance by hand, so that no test waits.
public protocol TimeSource: Sendable {
  /// The current instant, as precise as the source.
  var now: Date { get }
}

/// The machine's wall clock. No other code in Belfry reads it.
public struct SystemTimeSource: TimeSource {
  /// A source that reads the clock at each call.
  public init() {}

  /// The machine's wall-clock time.
  public var now: Date { Date() }
}
