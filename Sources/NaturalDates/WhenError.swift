/// An error about a WHEN or DURATION.
public struct WhenError: Error, Hashable, CustomStringConvertible {
  /// The problem and what to write instead, in one sentence.
  public let message: String

  /// An error with this message.
  public init(message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
