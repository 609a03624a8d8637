import Testing

/// A wrong edit: what is replaced by what, where that is told, and in which words.
struct WrongEdit: Sendable, CustomTestStringConvertible {
  let name: String
  let part: String
  let other: [UInt8]
  /// The text at whose start the error is told; where there is none, anywhere in the line of the edit will do.
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
