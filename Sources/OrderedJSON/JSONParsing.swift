/// What to do with an object that has a key twice, which RFC 8259 section 4 leaves open.
public enum JSONDuplicateKeys: Sendable {
  /// Refuse the document, at the second key.
  case refuse
  /// Take the last value, in the first one's place.
  case lastWins
}

extension JSONValue {
  /// The deepest nesting that any caller can ask for: it keeps the parser, and the release of what it made, within a small stack.
  static let deepestNesting = 1_000

  /// The value that a document in UTF-8 holds, read strictly by RFC 8259.
  ///
  /// Refused beyond what the RFC refuses: a byte order mark, invalid UTF-8, escapes of half a surrogate pair, numbers beyond
  /// what a Double holds, and, by default, an object with a key twice. A number too small for a Double is zero.
  /// - Parameters:
  ///   - maximumDepth: how many arrays and objects may stand inside each other; more than 1,000 counts as 1,000.
  ///   - duplicateKeys: what to do with an object that has a key twice.
  /// - Throws: `JSONError` with the place of the first fault.
  public init(
    parsing utf8: UnsafeRawBufferPointer, maximumDepth: Int = 512, duplicateKeys: JSONDuplicateKeys = .refuse
  ) throws(JSONError) {
    var parser = JSONParser(
      bytes: utf8, maximumDepth: min(maximumDepth, Self.deepestNesting), duplicateKeys: duplicateKeys)
    do {
      self = try parser.document()
    } catch {
      throw JSONError(error, in: utf8)
    }
  }

  /// The value that a document in UTF-8 holds, read strictly by RFC 8259 from any collection of bytes: an array, `Data`,
  /// a string's `utf8`.
  ///
  /// - Parameters:
  ///   - maximumDepth: how many arrays and objects may stand inside each other; more than 1,000 counts as 1,000.
  ///   - duplicateKeys: what to do with an object that has a key twice.
  /// - Throws: `JSONError` with the place of the first fault.
  public init(
    parsing utf8: some Collection<UInt8>, maximumDepth: Int = 512, duplicateKeys: JSONDuplicateKeys = .refuse
  ) throws(JSONError) {
    func parsed(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONError> {
      Result { () throws(JSONError) in
        try JSONValue(
          parsing: UnsafeRawBufferPointer(bytes), maximumDepth: maximumDepth, duplicateKeys: duplicateKeys)
      }
    }
    let result = utf8.withContiguousStorageIfAvailable(parsed) ?? Array(utf8).withUnsafeBufferPointer(parsed)
    self = try result.get()
  }
}
