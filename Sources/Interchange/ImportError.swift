/// A file that cannot be read as a whole.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the file, the fault, and what to do; the caller names the file.
  public var message: String

  /// The message.
  public var description: String { message }

  /// An error.
  public init(message: String) { self.message = message }
}
