import Foundation

/// Time limits of tests that measure time.
///
/// Each is about 20 times the duration in a debug build on an idle machine with two cores, and at least 5 s, so that it
/// also holds on a slow or busy machine. What computes is bounded by its ``ProcessorTime``. The defects they are to find
/// take hours, or never end.
public enum TimeLimit {
  /// The end of a transfer by its deadline, a cancellation or the server: 2.5 s, with a deadline of 2 s.
  public static let ending: Duration = .seconds(50)
  /// The deadline of a transfer that something else should end; well above ``ending``, to tell the two apart.
  public static let patience: Duration = .seconds(120)
  /// Reading a config designed to be costly: 1.2 s.
  public static let costlyConfig: Duration = .seconds(25)
  /// Importing a megabyte designed to be costly: 3 s.
  public static let costlyImport: Duration = .seconds(60)
  /// Reading a thousand damaged calendars: less than 30 s, measured beside the other tests of its module.
  public static let thousandCalendars: Duration = .seconds(40)
  /// Reading a damaged store file: 0.1 s.
  public static let damagedStore: Duration = .seconds(5)
  /// Giving up on a lock that is held: 0.2 s.
  public static let heldLock: Duration = .seconds(5)
}
