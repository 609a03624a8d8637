/// The treatment of an object with duplicate keys, which RFC 8259 section 4 leaves open.
public enum JSONDuplicateKeys: Sendable {
  /// Refuse the document, at the second key.
  case refuse
  /// Use the last value, in the first one's place.
  case lastWins
}

extension JSONValue {
  /// The largest maximum depth: with it the parser, and the release of its values, fit a small stack.
  static let deepestNesting = 1_000

  /// Parses a document in UTF-8 strictly by RFC 8259.
  ///
  /// It also refuses a byte order mark, invalid UTF-8, escapes of half a surrogate pair, numbers too large for a
  /// Double, and, by default, duplicate keys. A number too small for a Double is zero.
  /// - Parameters:
  ///   - maximumDepth: the deepest nesting of arrays and objects; more than 1,000 counts as 1,000.
  ///   - duplicateKeys: the treatment of duplicate keys.
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

  /// Parses a document in UTF-8 from any collection of bytes: an array, `Data`, a string's `utf8`.
  ///
  /// - Parameters:
  ///   - maximumDepth: the deepest nesting of arrays and objects; more than 1,000 counts as 1,000.
  ///   - duplicateKeys: the treatment of duplicate keys.
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
