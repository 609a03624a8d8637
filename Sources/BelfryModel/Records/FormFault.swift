import RecurrenceRules

/// A fault in a record of a file, and its place.
package struct FormFault: Error, Sendable {
  /// The kinds of faults.
  package enum Reason: Sendable {
    /// Something that a sentence says.
    case sentence(String)
    /// The record has no value under a field that it needs.
    case missing
    /// The field that the record needs says `null`.
    case null
    /// The value is of another type.
    case mismatch(found: RawValue.Kind, wanted: String)
    /// The text does not say what the field needs: a noun with its article, and what it could look like.
    case invalid(String, article: String, noun: String, example: String?)
    /// The text is no recurrence rule.
    case rule(String, RecurrenceRuleError)
    /// The text is none of these words.
    case word(String, of: [String])
    /// The file was written by a later program, which knows more than this one.
    case newer(version: Int64)
  }

  /// Where in the file, in bytes from its start.
  package let offset: Int
  /// The fault.
  package let reason: Reason
  /// The field as the file names it.
  package let field: String
  /// The record's name in messages.
  package let noun: String

  package init(offset: Int, _ reason: Reason, field: String = "", noun: String = "record") {
    (self.offset, self.reason, self.field, self.noun) = (offset, reason, field, noun)
  }

  /// A fault that a sentence says.
  package init(offset: Int, message: String) { self.init(offset: offset, .sentence(message)) }

  /// The fault as a sentence about the place.
  package var message: String {
    switch reason {
    case .sentence(let sentence): sentence
    case .missing: "this \(noun) has no \"\(field)\""
    case .null: "\"\(field)\" must have a value"
    case .mismatch(let found, let wanted): "expected \(wanted), found \(found.words)"
    case .invalid(let text, _, let noun, let example):
      "\(shown(text)) is no \(noun)" + (example.map { " such as \($0)" } ?? "")
    case .rule(let text, let error): "\(shown(text)) is no recurrence rule: \(error.message)"
    case .word(let text, let words):
      "expected \(words.map { "\"\($0)\"" }.joined(separator: ", ")), found \(shown(text))"
    case .newer(let version): "is of version \(version)"
    }
  }
}

extension RawValue.Kind {
  /// The kind as messages name it.
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

/// A text in double quotes, cut after 60 characters and without what could harm a terminal.
package func shown(_ text: String) -> String {
  let start = text.prefix(60).unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
  }
  return "\"\(String(start))\(start.count < text.unicodeScalars.count ? "…" : "")\""
}
