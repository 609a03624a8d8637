import Testing

/// A wrong edit, with the place and text of the expected error.
struct WrongEdit: Sendable, CustomTestStringConvertible {
  let name: String
  let part: String
  let other: [UInt8]
  /// The text at which the error is reported; `nil` for anywhere in the line of the edit.
  let place: String?
  let words: String

  init(_ name: String, _ part: String, _ other: String, at place: String? = nil, _ words: String) {
    self.init(name, part, bytes: Array(other.utf8), at: place, words)
  }

  init(_ name: String, _ part: String, bytes: [UInt8], at place: String? = nil, _ words: String) {
    (self.name, self.part, other, self.place, self.words) = (name, part, bytes, place, words)
  }

  var testDescription: String { name }
}
