import CivilTime

/// The error of a text that is not a recurrence rule, with its place and the expected text.
public struct RecurrenceRuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place at fault, in UTF-8 bytes from the start of the text, from 0.
  public let position: Int
  /// The fault and the expected text, in one sentence without the place.
  public let message: String

  package init(_ message: String, at position: Int) {
    self.message = message
    self.position = position
  }

  /// The message after its column, 1 for the first byte.
  public var description: String { "column \(position + 1): \(message)" }
}

extension RecurrenceRuleError {
  /// A piece of the text for a message.
  package static func quoted(_ bytes: some Sequence<UInt8>) -> String {
    // More bytes than are shown, so that a longer text ends in an ellipsis.
    inQuotes(String(decoding: Array(bytes.prefix(256)), as: UTF8.self))
  }
}
