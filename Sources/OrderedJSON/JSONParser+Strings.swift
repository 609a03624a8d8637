extension JSONParser {
  /// A string (section 7), up to and including its closing quotation mark.
  mutating func string() throws(JSONFault) -> String {
    index += 1
    let start = index
    let isASCII = skipPlainBytes()
    guard current == UInt8(ascii: "\"") else { return try escapedString(from: start) }
    let run = UnsafeRawBufferPointer(rebasing: bytes[start..<index]).assumingMemoryBound(to: UInt8.self)
    index += 1
    if isASCII { return String(decoding: run, as: UTF8.self) }
    return try valid(String(validating: run, as: UTF8.self), from: start)
  }

  /// The rest of a string that has an escape or a fault at the current place.
  private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
    unescaped.removeAll(keepingCapacity: true)
    var runStart = start
    while true {
      unescaped.append(contentsOf: bytes[runStart..<index])
      guard index < bytes.count else {
        throw JSONFault(offset: start - 1, message: "this string is never closed")
      }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return try valid(String(validating: unescaped, as: UTF8.self), from: start)
      case UInt8(ascii: "\\"):
        index += 1
        try escape()
      case let byte:
        let name = JSONQuotation.codePoint(byte)
        throw JSONFault(offset: index, message: "a string must not hold the control character \(name) unescaped")
      }
      runStart = index
      skipPlainBytes()
    }
  }

  /// Skips to the next quotation mark, backslash or control character, eight bytes at a time; returns whether the
  /// skipped bytes are ASCII (it may also return false because of a few bytes after them).
  @inline(__always)
  @discardableResult
  private mutating func skipPlainBytes() -> Bool {
    var seen: UInt64 = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      let special = JSONScanning.specialBytes(in: word)
      if special != 0 {
        let count = special.trailingZeroBitCount / 8
        seen |= word & ((special & (0 &- special)) &- 1)
        index += count
        return seen & JSONScanning.highBits == 0
      }
      seen |= word
      index += 8
    }
    while index < bytes.count, !JSONScanning.isSpecial(bytes[index]) {
      seen |= UInt64(bytes[index])
      index += 1
    }
    return seen & JSONScanning.highBits == 0
  }

  /// The text, which is nil if the bytes from `start` on are not UTF-8.
  private func valid(_ text: String?, from start: Int) throws(JSONFault) -> String {
    guard let text else {
      throw JSONFault(offset: firstInvalidByte(from: start), message: "a string holds bytes that are not UTF-8")
    }
    return text
  }

  /// The place of the first ill-formed sequence, for the error message.
  private func firstInvalidByte(from start: Int) -> Int {
    var decoder = UTF8()
    var rest = bytes[start...].makeIterator()
    var offset = start
    while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += UTF8.width(scalar) }
    return offset
  }

  private mutating func escape() throws(JSONFault) {
    let start = index - 1
    let letter = current
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): unescaped.append(contentsOf: String(try escapedScalar(from: start)).utf8)
    default: throw JSONFault(offset: start, message: "JSON has no such escape; a backslash itself is written \\\\")
    }
  }

  /// The scalar of `\uXXXX`, or of a surrogate pair of two of them, after the first `u`.
  private mutating func escapedScalar(from start: Int) throws(JSONFault) -> UnicodeScalar {
    let unit = try fourHexDigits(of: start)
    if let scalar = UnicodeScalar(unit) { return scalar }
    if unit < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    {
      index += 2
      let low = try fourHexDigits(of: index - 2)
      if 0xDC00...0xDFFF ~= low,
        let scalar = UnicodeScalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
      {
        return scalar
      }
    }
    throw JSONFault(offset: start, message: "this escape is half of a surrogate pair, which is not a character")
  }

  private mutating func fourHexDigits(of start: Int) throws(JSONFault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(UnicodeScalar(current)).hexDigitValue else {
        throw JSONFault(offset: start, message: "\\u must be followed by four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}

/// Searches for characters that need escapes, for the parser and the writer.
enum JSONScanning {
  /// The bits that no ASCII byte of a word has.
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// True if a byte is a quotation mark, a backslash or a control character, which must be escaped in a string.
  @inline(__always)
  static func isSpecial(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

  /// A word whose lowest set bit is in the first special byte of eight; zero when none is special.
  ///
  /// A borrow can set bits above a special byte, never below the first one, so only the lowest bit counts.
  @inline(__always)
  static func specialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let belowSpace = (word &- ones &* 0x20) & ~word
    let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | belowSpace
    return found & highBits
  }
  /// The place of the first special byte from `start` on.
  @inline(__always)
  static func firstSpecial(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index + 8 <= raw.count {
      let special = specialBytes(in: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian)
      if special != 0 { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < raw.count, !isSpecial(raw[index]) { index += 1 }
    return index < raw.count ? index : nil
  }
}
