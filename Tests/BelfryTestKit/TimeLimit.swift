import Foundation

/// How long at most what tests hold a clock against may take.
///
/// Each is some 20 times what a debug build took alone on a machine with two cores, and 5 s at the least, so that it passes
/// on a slow machine and beside others. What they are to find takes far longer: hours, or until something else ends it.
public enum TimeLimit {
  /// The end of a transfer by a deadline, a cancellation or the other side: 2.5 s, of which the deadline was 2 s.
  public static let ending: Duration = .seconds(50)
  /// The deadline of a transfer that something else is to end: well behind ``ending``, so that the two are told apart.
  public static let patience: Duration = .seconds(120)
  /// Reading a config that is made to be costly: 1.2 s.
  public static let costlyConfig: Duration = .seconds(25)
  /// Reading a megabyte that is made to be costly to import: 3 s.
  public static let costlyImport: Duration = .seconds(60)
  /// Reading a thousand damaged calendars: less than 30 s beside the other tests of its module; not measured alone.
  public static let thousandCalendars: Duration = .seconds(40)
  /// Reading a store's file that is damaged: 0.1 s.
  public static let damagedStore: Duration = .seconds(5)
  /// Giving up on a lock that is held: 0.2 s.
  public static let heldLock: Duration = .seconds(5)
}
