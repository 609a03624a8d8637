/// The words of a line, separated by single spaces, one at a time.
///
/// Split by bytes, not by Characters, since a combining mark after a space, a `+` or a `:` makes one Character with it,
/// but still starts the next word, name or value. The words of a long line are never all in memory.
struct TodoTxtWords: Sequence, IteratorProtocol {
  private static let space = UInt8(ascii: " ")

  /// The rest of the line; `nil` after the last word.
  private var rest: Substring.UTF8View?

  init(_ line: String) { rest = line[...].utf8 }

  /// The next word, without consuming it.
  var first: Substring? { rest.map { Substring($0.prefix { $0 != Self.space }) } }

  /// True if there is a word after the next one.
  var hasMore: Bool { rest?.contains(Self.space) ?? false }

  mutating func next() -> Substring? {
    guard let rest else { return nil }
    guard let end = rest.firstIndex(of: Self.space) else {
      self.rest = nil
      return Substring(rest)
    }
    self.rest = rest[rest.index(after: end)...]
    return Substring(rest[..<end])
  }
}

/// A word's parts, by bytes.
extension Substring {
  /// The rest after a first byte; `nil` without that byte or a rest.
  func rest(after first: Unicode.Scalar) -> Substring? {
    guard utf8.count > 1, utf8.first == UInt8(ascii: first) else { return nil }
    return Substring(utf8.dropFirst())
  }

  /// The key before the first colon and the value after it; `nil` without both.
  var keyAndValue: (key: Substring, value: Substring)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), colon > startIndex, utf8.index(after: colon) < endIndex
    else { return nil }
    return (Substring(utf8[..<colon]), Substring(utf8[utf8.index(after: colon)...]))
  }
}
