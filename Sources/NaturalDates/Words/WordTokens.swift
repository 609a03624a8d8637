import RecurrenceRules

/// One word of a text in lower case, or a comma, with its place.
struct WordToken {
  let text: String
  let position: Int
}

/// The words of a text, with the current position.
struct WordTokens {
  private let bytes: [UInt8]
  private let tokens: [WordToken]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    var tokens: [WordToken] = []
    var start = 0
    for (position, byte) in bytes.enumerated() where byte == UInt8(ascii: ",") || byte.isASCIIWhitespace {
      if start < position { tokens.append(WordTokens.token(bytes, start..<position)) }
      if byte == UInt8(ascii: ",") { tokens.append(WordToken(text: ",", position: position)) }
      start = position + 1
    }
    if start < bytes.count { tokens.append(WordTokens.token(bytes, start..<bytes.count)) }
    self.tokens = tokens
  }

  private static func token(_ bytes: [UInt8], _ range: Range<Int>) -> WordToken {
    WordToken(text: String(decoding: bytes[range], as: UTF8.self).lowercased(), position: range.lowerBound)
  }

  /// The next word, empty at the end.
  var next: String { peek(0) }

  /// The start of the next word, or the end of the text.
  var position: Int { index < tokens.count ? tokens[index].position : bytes.count }

  var isAtEnd: Bool { index == tokens.count }

  /// The word this many places ahead, empty after the end.
  func peek(_ distance: Int) -> String { index + distance < tokens.count ? tokens[index + distance].text : "" }

  mutating func advance(_ count: Int = 1) { index = min(index + count, tokens.count) }

  /// Consumes the next word if it is one of these.
  @discardableResult
  mutating func consume(_ words: String...) -> Bool {
    guard words.contains(next) else { return false }
    advance()
    return true
  }

  /// Consumes the next word if `meaning` returns a value for it.
  mutating func consume<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
    guard let found = meaning(next) else { return nil }
    advance()
    return found
  }

  /// Values separated by `,` or `and`; consumes a separator only before another value.
  mutating func list<Value>(_ value: (inout WordTokens) -> Value?) -> [Value] {
    var values: [Value] = []
    var beyond = self
    while let found = value(&beyond) {
      values.append(found)
      self = beyond
      let hasComma = beyond.consume(",")
      guard beyond.consume("and", "&") || hasComma else { break }
    }
    return values
  }

  /// An error at the next word, with the words understood before it and the expected ones.
  func error(_ expectation: String) -> RecurrenceRuleError {
    var before = bytes[..<position]
    while let last = before.last, last.isASCIIWhitespace || last == UInt8(ascii: ",") { before.removeLast() }
    let seen = isAtEnd ? "the end" : RecurrenceRuleError.quoted(next.utf8)
    let understood = before.isEmpty ? "" : " after \(RecurrenceRuleError.quoted(before))"
    return RecurrenceRuleError("\(seen)\(understood) is not understood; \(expectation)", at: position)
  }
}
