/// A parsed WHEN of the command line.
public enum When: Hashable, Sendable {
  /// No time, written `none`.
  case none
  /// A minute on the wall clock, in the parser's zone.
  case at(WallTime)
}
