import CivilTime

/// A token of a WHEN or DURATION: a run of digits, a run of letters, or one other character.
struct TimeToken {
  /// The kind of token; words are in lower case.
  enum Kind: Hashable {
    case number(Int)
    case word(String)
    case symbol(UInt8)
  }

  /// The value of all larger numbers, beyond any meaningful one, and small enough that products do not overflow.
  static let largestNumber = 1_000_000_000_000_000

  let kind: Kind
  /// The token's range in the text's UTF-8.
  let range: Range<Int>
  /// True if it follows the previous token without white space.
  let isAttached: Bool
  /// The number of characters.
  var width: Int { range.count }
}

/// Reads a WHEN or DURATION token by token, from left to right.
///
/// White space and commas are separators. A text that is long or has characters other than printable ASCII is refused
/// before it is parsed, so that parsing is cheap.
struct TokenReader {
  /// The text, for messages.
  let text: String
  private let tokens: [TimeToken]
  private(set) var position = 0

  /// The tokens of `text`; `noun` (`time`, `duration`) and `example` appear in errors.
  init(_ text: String, noun: String, example: String) throws(WhenError) {
    guard text.utf8.count <= 120 else {
      throw WhenError(message: "\(inQuotes(text.prefix(40))) is too long for a \(noun): write for example \(example)")
    }
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ (0x20..<0x7f).contains($0) || (0x09...0x0d).contains($0) }) else {
      throw WhenError(message: "\(inQuotes(text)) has characters that no \(noun) has: write for example \(example)")
    }
    self.text = text
    tokens = TokenReader.split(bytes)
    guard !tokens.isEmpty else { throw WhenError(message: "the \(noun) is empty: write for example \(example)") }
  }

  private static func split(_ bytes: [UInt8]) -> [TimeToken] {
    var tokens: [TimeToken] = []
    var start = 0
    while start < bytes.count {
      guard bytes[start] > 0x20, bytes[start] != UInt8(ascii: ",") else {
        start += 1
        continue
      }
      let range = start..<end(ofPieceAt: start, in: bytes)
      let isAttached = tokens.last?.range.upperBound == start
      tokens.append(TimeToken(kind: kind(of: bytes[range]), range: range, isAttached: isAttached))
      start = range.upperBound
    }
    return tokens
  }

  private static func end(ofPieceAt start: Int, in bytes: [UInt8]) -> Int {
    var end = start + 1
    if isDigit(bytes[start]) {
      while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    } else if isLetter(bytes[start]) {
      while end < bytes.count, isLetter(bytes[end]) { end += 1 }
    }
    return end
  }

  private static func kind(of piece: ArraySlice<UInt8>) -> TimeToken.Kind {
    guard let first = piece.first, isDigit(first) || isLetter(first) else { return .symbol(piece.first ?? 0) }
    if isLetter(first) { return .word(String(decoding: piece.map { $0 | 0x20 }, as: UTF8.self)) }
    return .number(min(decimal(piece) ?? TimeToken.largestNumber, TimeToken.largestNumber))
  }

  /// True if a number of four digits is among the tokens.
  var hasYear: Bool {
    tokens.contains { token in
      guard case .number = token.kind else { return false }
      return token.width == 4
    }
  }

  /// True if everything has been read.
  var isAtEnd: Bool { position == tokens.count }

  /// The token `ahead` places further on, without consuming it.
  func peek(_ ahead: Int = 0) -> TimeToken? {
    position + ahead < tokens.count ? tokens[position + ahead] : nil
  }

  /// The word `ahead` places further on.
  func peekWord(_ ahead: Int = 0) -> String? {
    if case .word(let word) = peek(ahead)?.kind { word } else { nil }
  }

  /// The number `ahead` places further on.
  func peekNumber(_ ahead: Int = 0) -> Int? {
    if case .number(let number) = peek(ahead)?.kind { number } else { nil }
  }

  /// True if the token `ahead` places further on is this character, attached to the token before it.
  func hasAttached(_ symbol: Unicode.Scalar, at ahead: Int) -> Bool {
    guard let token = peek(ahead) else { return false }
    return token.isAttached && token.kind == .symbol(UInt8(ascii: symbol))
  }

  mutating func advance(_ count: Int = 1) { position = min(position + count, tokens.count) }

  /// Moves to an earlier or later `position`.
  mutating func move(to position: Int) { self.position = min(max(position, 0), tokens.count) }

  /// Consumes the next token if it is one of these words.
  mutating func skip(_ words: String...) -> Bool {
    guard let word = peekWord(), words.contains(word) else { return false }
    advance()
    return true
  }

  /// The text between two positions, as written.
  func text(from start: Int, to end: Int) -> String {
    guard start < end, end <= tokens.count else { return "" }
    let range = tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound
    return String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }

  /// The text consumed so far, as written.
  var readText: String { text(from: 0, to: position) }

  /// The remaining text, as written.
  var unreadText: String { text(from: position, to: tokens.count) }
}
