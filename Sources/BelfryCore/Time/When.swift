/// What a WHEN of the command line means.
public enum When: Hashable, Sendable {
  /// No time at all, written `none`.
  case none
  /// A minute on the wall clock of the zone that the parser was given.
  case at(WallTime)
}

/// A WHEN or DURATION that was refused.
public struct WhenError: Error, Hashable, CustomStringConvertible {
  /// What was understood and what to write instead, in one sentence.
  public let message: String

  /// An error with this message.
  public init(message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
