import RecurrenceRules

/// A fault in a record of a file, with its place.
package struct FormFault: Error, Sendable {
  /// The kind of a fault.
  package enum Reason: Sendable {
    /// A fault described by a sentence.
    case sentence(String)
    /// A required field is missing.
    case missing
    /// A required field is `null`.
    case null
    /// The value has another type.
    case mismatch(found: RawValue.Kind, wanted: String)
    /// The text is not valid for the field, which expects `noun`, such as `example`.
    case invalid(String, article: String, noun: String, example: String?)
    /// The text is not a recurrence rule.
    case rule(String, RecurrenceRuleError)
    /// The text is not one of these words.
    case word(String, of: [String])
    /// The file was written by a later version of Belfry.
    case newer(version: Int64)
  }

  /// The place in the file, in bytes from its start.
  package let offset: Int
  /// The kind of the fault.
  package let reason: Reason
  /// The field's name in the file.
  package let field: String
  /// The record's name in messages.
  let noun: String

  package init(offset: Int, _ reason: Reason, field: String = "", noun: String = "record") {
    (self.offset, self.reason, self.field, self.noun) = (offset, reason, field, noun)
  }

  /// A fault described by a sentence.
  package init(offset: Int, message: String) { self.init(offset: offset, .sentence(message)) }

  /// The fault as a sentence.
  package var message: String {
    switch reason {
    case .sentence(let sentence): sentence
    case .missing: "this \(noun) has no \"\(field)\""
    case .null: "\"\(field)\" must have a value"
    case .mismatch(let found, let wanted): "expected \(wanted), found \(found.words)"
    case .invalid(let text, let article, let noun, let example):
      "\(shown(text)) is not \(article) \(noun)" + (example.map { " such as \($0)" } ?? "")
    case .rule(let text, let error): "\(shown(text)) is not a recurrence rule: \(error.message)"
    case .word(let text, let words):
      "expected \(words.map { "\"\($0)\"" }.joined(separator: ", ")), found \(shown(text))"
    case .newer(let version): "is of version \(version)"
    }
  }
}

extension RawValue.Kind {
  /// The kind of value in messages.
  fileprivate var words: String {
    switch self {
    case .missing, .null: "nothing"
    case .text, .escapedText: "a text"
    case .number: "a number"
    case .yes, .no: "a truth value"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A text in double quotes for messages, cut after 60 characters, without control characters.
package func shown(_ text: String) -> String {
  let start = text.prefix(60).unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
  }
  return "\"\(String(start))\(start.count < text.unicodeScalars.count ? "…" : "")\""
}
