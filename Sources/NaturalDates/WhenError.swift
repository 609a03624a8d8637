/// A WHEN or DURATION that was refused.
public struct WhenError: Error, Hashable, CustomStringConvertible {
  /// What was understood and what to write instead, in one sentence.
  public let message: String

  /// An error with this message.
  public init(message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
