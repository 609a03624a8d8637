extension XMLPropertyListReader {
  /// An opening tag, `<name>`, or an empty element, `<name/>`.
  package struct Tag {
    package let element: Element
    /// True if it is an empty element.
    package let isEmpty: Bool

    package init(_ element: Element, isEmpty: Bool = false) {
      self.element = element
      self.isEmpty = isEmpty
    }
  }

  /// The elements of property lists.
  package enum Element: String {
    /// The element around everything.
    case plist
    /// A dictionary, and a key in it.
    case dict, key
    case array
    /// The values that hold text.
    case string, integer, real, date, data
    case `true`, `false`
  }

  /// Skips the part before the root element: declaration, document type, comments.
  mutating func prolog() throws(PropertyListFault) {
    if isNext("<?xml") { try declaration() }
    try skipBetweenElements()
    guard isNext("<!DOCTYPE") else { return }
    let start = index
    let end = try endOfTag(from: start)
    if bytes[start..<end].contains(UInt8(ascii: "[")) {
      throw PropertyListFault(
        offset: start, message: "a property list must not declare entities or elements of its own")
    }
    index = end
    try skipBetweenElements()
  }

  private mutating func declaration() throws(PropertyListFault) {
    let start = index
    try skip(to: "?>", of: "this declaration")
    let words = String(decoding: bytes[start..<index], as: UTF8.self).split { " \t\r\n?<>=".contains($0) }
    guard let keyword = words.firstIndex(of: "encoding"), keyword + 1 < words.count else { return }
    let encoding = words[keyword + 1].filter { $0 != "\"" && $0 != "'" }
    guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding.lowercased()) else {
      throw PropertyListFault(offset: start, message: "is said to be in \(encoding.prefix(40)): save it as UTF-8")
    }
  }

  /// Reads an opening tag, of the wanted element if one is given.
  package mutating func openingTag(
    of wanted: Element? = nil, allowsAttributes: Bool = false
  ) throws(PropertyListFault) -> Tag {
    guard current == UInt8(ascii: "<") else { throw unexpected(wanted: "an element") }
    let start = index
    index += 1
    let name = try self.name(from: start)
    guard let element = element(name), wanted == nil || element == wanted else {
      let message = wanted.map { "expected <\($0.rawValue)>, found" } ?? "property lists have no"
      throw PropertyListFault(offset: start, message: "\(message) <\(text(of: name))>")
    }
    if allowsAttributes {
      index = try endOfTag(from: start)
      return Tag(element, isEmpty: bytes[index - 2] == UInt8(ascii: "/"))
    }
    skipWhitespace()
    let isEmpty = current == UInt8(ascii: "/")
    if isEmpty { index += 1 }
    guard current == UInt8(ascii: ">") else { throw unexpected(wanted: "the \">\" of <\(element.rawValue)>") }
    index += 1
    return Tag(element, isEmpty: isEmpty)
  }

  /// Reads the closing tag of an element.
  package mutating func closingTag(_ element: Element) throws(PropertyListFault) {
    let start = index
    guard isNext("</") else { throw unexpected(wanted: "</\(element.rawValue)>") }
    index += 2
    let name = try self.name(from: start)
    guard self.element(name) == element else {
      throw PropertyListFault(
        offset: start, message: "expected </\(element.rawValue)>, found </\(text(of: name))>")
    }
    skipWhitespace()
    guard current == UInt8(ascii: ">") else { throw unexpected(wanted: "the \">\" of </\(element.rawValue)>") }
    index += 1
  }

  private mutating func name(from start: Int) throws(PropertyListFault) -> Range<Int> {
    let nameStart = index
    while XMLScanning.isNameByte(current) { index += 1 }
    guard index > nameStart else { throw PropertyListFault(offset: start, message: "expected an element, found \"<\"") }
    return nameStart..<index
  }

  /// The element with a name, compared without making a String, since files consist of tags.
  private func element(_ name: Range<Int>) -> Element? {
    func isNamed(_ mark: StaticString) -> Bool { isThere(mark, at: name.lowerBound) }
    switch name.count {
    case 3: return isNamed("key") ? .key : nil
    case 4:
      if isNamed("true") { return .true }
      if isNamed("date") { return .date }
      if isNamed("dict") { return .dict }
      if isNamed("real") { return .real }
      return isNamed("data") ? .data : nil
    case 5:
      if isNamed("false") { return .false }
      return isNamed("array") ? .array : isNamed("plist") ? .plist : nil
    case 6: return isNamed("string") ? .string : nil
    case 7: return isNamed("integer") ? .integer : nil
    default: return nil
    }
  }

  private func text(of name: Range<Int>) -> String { String(decoding: bytes[name].prefix(40), as: UTF8.self) }

  /// Skips white space, comments and processing instructions.
  package mutating func skipBetweenElements() throws(PropertyListFault) {
    while true {
      skipWhitespace()
      if isNext("<!--") {
        try skip(to: "-->", of: "this comment")
      } else if isNext("<?") {
        try skip(to: "?>", of: "this processing instruction")
      } else {
        return
      }
    }
  }

  /// Skips past the next occurrence of a mark, which ends the present construct.
  mutating func skip(to mark: StaticString, of what: String) throws(PropertyListFault) {
    let start = index
    while index < bytes.count {
      if isNext(mark) {
        index += mark.utf8CodeUnitCount
        return
      }
      index += 1
    }
    throw PropertyListFault(offset: start, message: "\(what) is never closed")
  }

  /// The place after the `>` of a tag; a quoted `>` does not end it.
  private func endOfTag(from start: Int) throws(PropertyListFault) -> Int {
    var quote: UInt8?
    for place in start..<bytes.count {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return place + 1
      }
    }
    throw PropertyListFault(offset: start, message: "this tag is never closed")
  }

  /// The next byte; at the end NUL, which no markup has.
  @inline(__always)
  var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

  @inline(__always)
  func isNext(_ mark: StaticString) -> Bool { isThere(mark, at: index) }

  @inline(__always)
  private func isThere(_ mark: StaticString, at start: Int) -> Bool {
    let end = start + mark.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    for place in start..<end where bytes[place] != mark.utf8Start[place - start] { return false }
    return true
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while index < bytes.count, XMLScanning.isWhitespace(bytes[index]) { index += 1 }
  }

  /// The fault at the current place.
  func unexpected(wanted: String) -> PropertyListFault {
    guard index < bytes.count else {
      return PropertyListFault(offset: index, message: "ends too early: expected \(wanted)")
    }
    let found =
      switch bytes[index] {
      case 0x21...0x7E: "\"\(Character(UnicodeScalar(bytes[index])))\""
      case 0x80...: "a character beyond ASCII"
      case let byte: "the control character \(XMLScanning.codePoint(UInt32(byte)))"
      }
    return PropertyListFault(offset: index, message: "expected \(wanted), found \(found)")
  }
}

/// Classes of bytes and characters for the XML reader.
enum XMLScanning {
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 11 || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  /// True if XML 1.0 (section 2.2) allows the scalar in text.
  static func isAllowed(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// The name of a character, as `U+0000`.
  static func codePoint(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// The length of the byte order mark at the start of a file, 0 or 3.
  static func markLength(of bytes: UnsafeRawBufferPointer) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
