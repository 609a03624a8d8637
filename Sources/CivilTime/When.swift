/// The meaning of a WHEN of the command line.
public enum When: Hashable, Sendable {
  /// No time at all, written `none`.
  case none
  /// A minute on the wall clock of the zone that the parser was given.
  case at(WallTime)
}
