import FoundationEssentials

/// What tells the current instant; everything that needs "now" is given one.
///
/// Tests inject a source that they advance by hand, so nothing ever waits.
public protocol TimeSource: Sendable {
  /// The current instant, as precise as the source is.
  var now: Date { get }
}

/// The machine's wall clock: the one place in Belfry that reads it.
public struct SystemTimeSource: TimeSource {
  /// A source that reads the clock at each question.
  public init() {}

  /// The machine's wall-clock time at the moment of asking.
  public var now: Date { Date() }
}
