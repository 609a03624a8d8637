extension XMLPropertyListReader {
  /// An opening tag, `<name>`, or an empty element, `<name/>`.
  package struct Tag {
    /// The name.
    package let name: String
    /// Whether nothing can stand in it.
    package let isEmpty: Bool

    /// A tag.
    package init(name: String, isEmpty: Bool) {
      self.name = name
      self.isEmpty = isEmpty
    }
  }

  /// What stands before the root element: declaration, document type, comments.
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

  /// Reads an opening tag.
  package mutating func openingTag(allowsAttributes: Bool = false) throws(PropertyListFault) -> Tag {
    guard current == UInt8(ascii: "<") else { throw unexpected(wanted: "an element") }
    let start = index
    index += 1
    let nameStart = index
    while XMLScanning.isNameByte(current) { index += 1 }
    guard index > nameStart else { throw PropertyListFault(offset: start, message: "expected an element, found \"<\"") }
    let name = String(decoding: bytes[nameStart..<min(index, nameStart + 40)], as: UTF8.self)
    if allowsAttributes {
      index = try endOfTag(from: start)
      return Tag(name: name, isEmpty: bytes[index - 2] == UInt8(ascii: "/"))
    }
    skipWhitespace()
    let isEmpty = current == UInt8(ascii: "/")
    if isEmpty { index += 1 }
    guard current == UInt8(ascii: ">") else { throw unexpected(wanted: "the \">\" of <\(name)>") }
    index += 1
    return Tag(name: name, isEmpty: isEmpty)
  }

  /// Reads the closing tag of an element.
  package mutating func closingTag(_ name: String) throws(PropertyListFault) {
    let start = index
    guard isNext("</") else { throw unexpected(wanted: "</\(name)>") }
    index += 2
    let nameStart = index
    while XMLScanning.isNameByte(current) { index += 1 }
    let found = String(decoding: bytes[nameStart..<min(index, nameStart + 40)], as: UTF8.self)
    guard found == name else {
      throw PropertyListFault(offset: start, message: "expected </\(name)>, found </\(found)>")
    }
    skipWhitespace()
    guard current == UInt8(ascii: ">") else { throw unexpected(wanted: "the \">\" of </\(name)>") }
    index += 1
  }

  /// Goes over white space, comments and processing instructions.
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

  /// Goes behind the next occurrence of a mark that ends what starts here.
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

  /// The place behind the `>` of a tag, quoted ones left aside.
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

  /// The byte to be read next, or NUL, which no markup has, at the end.
  @inline(__always)
  var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

  @inline(__always)
  func isNext(_ mark: StaticString) -> Bool {
    let end = index + mark.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    for place in index..<end where bytes[place] != mark.utf8Start[place - index] { return false }
    return true
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while index < bytes.count, XMLScanning.isWhitespace(bytes[index]) { index += 1 }
  }

  /// The fault of what stands at the current place.
  package func unexpected(wanted: String) -> PropertyListFault {
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

/// What the XML reader looks for in bytes.
enum XMLScanning {
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || "-_.:".utf8.contains(byte)
  }

  /// Whether XML 1.0 (section 2.2) lets text hold the scalar.
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

  /// The length of the byte order mark that a file starts with, 0 or 3.
  static func markLength(of bytes: UnsafeRawBufferPointer) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
