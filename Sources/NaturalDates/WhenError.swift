/// An error about a WHEN or DURATION.
package struct WhenError: Error, Hashable, CustomStringConvertible {
  /// The problem and what to write instead, in one sentence.
  package let message: String

  /// An error with this message.
  package init(message: String) { self.message = message }

  package var description: String { message }
}
