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

  /// The message led by its column, 1 for the first byte.
  public var description: String { "column \(position + 1): \(message)" }
}

extension RecurrenceRuleError {
  /// A piece of the text for a message: at most 40 characters, without control characters.
  package static func quoted(_ bytes: some Sequence<UInt8>) -> String {
    let scalars = String(decoding: Array(bytes.prefix(161)), as: UTF8.self).unicodeScalars
    var text = ""
    for scalar in scalars.prefix(40) {
      text.unicodeScalars.append(scalar.properties.generalCategory.isPrintable ? scalar : "?")
    }
    return "'" + text + (scalars.count > 40 ? "…'" : "'")
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isPrintable: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
  }
}
