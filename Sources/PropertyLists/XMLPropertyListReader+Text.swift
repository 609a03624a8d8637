extension XMLPropertyListReader {
  /// The text of an element without children, up to and including its closing tag, with line ends as LF (XML 1.0
  /// section 2.11).
  package mutating func text(of tag: Tag) throws(PropertyListFault) -> String {
    if tag.isEmpty { return "" }
    let start = index
    let isASCII = skipPlainBytes()
    guard isNext("</") else { return try mixedText(of: tag, from: start) }
    let content = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
    let text =
      isASCII
      ? String(decoding: content, as: UTF8.self) : try decoded(String(validating: content, as: UTF8.self), from: start)
    try closingTag(tag.element)
    return text
  }

  /// Reads the rest of a text from an entity reference, CDATA section, comment, CR or control character on.
  private mutating func mixedText(of tag: Tag, from start: Int) throws(PropertyListFault) -> String {
    var content = Array(bytes[start..<index])
    while !isNext("</") {
      guard index < bytes.count else { throw unexpected(wanted: "</\(tag.element.rawValue)>") }
      switch bytes[index] {
      case UInt8(ascii: "&"): content.append(contentsOf: String(try reference()).utf8)
      case UInt8(ascii: "<"): try section(into: &content, in: tag)
      default: try plainRun(into: &content, until: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
      }
    }
    let text = try decoded(String(validating: content, as: UTF8.self), from: start)
    try closingTag(tag.element)
    return text
  }

  /// Skips plain bytes of text; returns whether they are ASCII.
  @inline(__always)
  private mutating func skipPlainBytes() -> Bool {
    var all: UInt8 = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 ? byte != 0x0A && byte != 0x09 : byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { break }
      all |= byte
      index += 1
    }
    return all < 0x80
  }

  /// A CDATA section or a comment inside text.
  private mutating func section(into content: inout [UInt8], in tag: Tag) throws(PropertyListFault) {
    if isNext("<!--") { return try skip(to: "-->", of: "this comment") }
    guard isNext("<![CDATA[") else {
      throw PropertyListFault(
        offset: index, message: "<\(tag.element.rawValue)> must hold text only; a \"<\" is written &lt;")
    }
    let start = index
    try skip(to: "]]>", of: "this CDATA section")
    let end = index
    index = start + 9
    try plainRun(into: &content, until: { _ in false }, end: end - 3)
    index = end
  }

  /// Copies bytes with line ends as LF, and checks them for control characters.
  private mutating func plainRun(
    into content: inout [UInt8], until isEnd: (UInt8) -> Bool, end: Int? = nil
  ) throws(PropertyListFault) {
    let end = end ?? bytes.count
    while index < end, !isEnd(bytes[index]) {
      let byte = bytes[index]
      if byte == 0x0D {
        content.append(0x0A)
        if index + 1 < end, bytes[index + 1] == 0x0A { index += 1 }
      } else {
        try require(UnicodeScalar(byte), at: index)
        content.append(byte)
      }
      index += 1
    }
  }

  /// An entity or character reference (XML 1.0 section 4.1).
  private mutating func reference() throws(PropertyListFault) -> UnicodeScalar {
    let start = index
    let end = bytes[start...].prefix(16).firstIndex(of: UInt8(ascii: ";")) ?? start
    let name = String(decoding: bytes[start..<end].dropFirst(), as: UTF8.self)
    index = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard name.hasPrefix("#"), digits.first != "+", let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = UnicodeScalar(value)
    else {
      throw PropertyListFault(
        offset: start, message: "this is not a known entity or character; an \"&\" is written &amp;")
    }
    try require(scalar, at: start)
    return scalar
  }

  private func require(_ scalar: UnicodeScalar, at offset: Int) throws(PropertyListFault) {
    guard allowsControlCharacters || XMLScanning.isAllowed(scalar) else {
      throw PropertyListFault(
        offset: offset, message: "XML text must not hold the character \(XMLScanning.codePoint(scalar.value))")
    }
  }

  /// The text, which is nil if the bytes from `start` on are not UTF-8, checked for characters that XML forbids.
  private func decoded(_ text: String?, from start: Int) throws(PropertyListFault) -> String {
    guard let text else {
      var decoder = UTF8()
      var rest = bytes[start...].makeIterator()
      var offset = start
      while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += UTF8.width(scalar) }
      throw PropertyListFault(offset: offset, message: "these bytes are not UTF-8")
    }
    if text.utf8.contains(0xEF) {
      for scalar in text.unicodeScalars { try require(scalar, at: start) }
    }
    return text
  }
}
