import CivilTime

/// Appends content lines, folded (RFC 5545, section 3.1).
///
/// Lines with a line end or another control character inside are refused, so no text can inject a line.
package struct CalendarLines {
  /// The most bytes of a line without its end.
  private static let width = 75

  /// The lines appended so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends a line as it is.
  ///
  /// - Returns: false for a line with control characters other than tab, which is not appended.
  @discardableResult
  package mutating func append(_ line: String) -> Bool {
    guard !line.utf8.contains(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7F }) else { return false }
    var rest = Array(line.utf8)[...]
    var room = Self.width
    while rest.count > room {
      var end = rest.startIndex + room
      // Not inside a character, whose later bytes start with the bits 10.
      while rest[end] & 0xC0 == 0x80 { end -= 1 }
      bytes += rest[..<end]
      bytes += [0x0D, 0x0A, 0x20]
      rest = rest[end...]
      room = Self.width - 1
    }
    bytes += rest
    bytes += [0x0D, 0x0A]
    return true
  }

  /// Appends a property with a value of type TEXT.
  ///
  /// - Throws: ``UnholdableText`` for a text with control characters other than tab and line feed.
  package mutating func append(_ name: String, text: String) throws(UnholdableText) {
    guard append("\(name):\(CalendarText.escaped(text))") else { throw UnholdableText(text: text) }
  }
}

/// A text that iCalendar cannot hold.
package struct UnholdableText: Error {
  package let text: String

  /// The first character at fault, such as `U+0007`.
  package var character: String {
    let scalar = text.unicodeScalars.first { ($0.value < 0x20 && $0 != "\t" && $0 != "\n") || $0.value == 0x7F }
    return (scalar ?? "\0").codePoint
  }
}
