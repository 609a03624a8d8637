import CivilTime
import FoundationEssentials
import Glibc
import OrderedJSON

extension JSONScanner {
  /// The next byte. At the end NUL, with which no token starts.
  @inline(__always)
  var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

  @inline(__always)
  mutating func skipWhitespace() {
    while index < bytes.count {
      let byte = bytes[index]
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
    }
  }

  /// Finds the next value and moves past it.
  @inline(__always)
  mutating func scanValue() throws(FormFault) -> RawValue {
    skipWhitespace()
    switch current {
    case UInt8(ascii: "\""): return try scanText()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return scanNumber()
    case UInt8(ascii: "n"): return try scanWord("null", .null)
    case UInt8(ascii: "t"): return try scanWord("true", .yes)
    case UInt8(ascii: "f"): return try scanWord("false", .no)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try scanCompound()
    default: throw unexpected("a value")
    }
  }

  @inline(__always)
  private mutating func scanText() throws(FormFault) -> RawValue {
    let start = index + 1
    index = start
    let isASCII = skipPlainBytes()
    if current == UInt8(ascii: "\"") {
      index += 1
      return RawValue(isASCII ? .text : .escapedText, start..<(index - 1))
    }
    index = start - 1
    try skipText()
    return RawValue(.escapedText, start..<(index - 1))
  }

  // Not validated here, since the reader of the number checks it.
  private mutating func scanNumber() -> RawValue {
    let start = index
    index += 1
    while isNumberByte(current) { index += 1 }
    return RawValue(.number, start..<index)
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  @inline(__always)
  private mutating func scanWord(_ word: StaticString, _ kind: RawValue.Kind) throws(FormFault) -> RawValue {
    let start = index
    let end = start + word.utf8CodeUnitCount
    guard end <= bytes.count, let base = bytes.baseAddress,
      memcmp(base + start, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { throw unexpected("a value") }
    index = end
    return RawValue(kind, start..<end)
  }

  // Only counts brackets and quotation marks, since the reader of the value parses it.
  private mutating func scanCompound() throws(FormFault) -> RawValue {
    let start = index
    var depth = 0
    repeat {
      switch current {
      case UInt8(ascii: "\""):
        try skipText()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      index += 1
      guard index < bytes.count || depth == 0 else {
        throw FormFault(offset: start, message: "the value that starts here is never closed")
      }
    } while depth > 0
    return RawValue(bytes[start] == UInt8(ascii: "[") ? .array : .object, start..<index)
  }

  private mutating func skipText() throws(FormFault) {
    let start = index
    index += 1
    while index < bytes.count {
      _ = skipPlainBytes()
      let byte = current
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    throw FormFault(offset: start, message: "this text is never closed")
  }

  /// Moves to the next quotation mark, backslash or control character, eight bytes at a time. Returns whether all bytes
  /// before it are ASCII.
  @inline(__always)
  private mutating func skipPlainBytes() -> Bool {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    let ones: UInt64 = 0x0101_0101_0101_0101
    var seen: UInt64 = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      let belowSpace = (word &- ones &* 0x20) & ~word
      let special = (((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | belowSpace) & highBits
      if special != 0 {
        index += special.trailingZeroBitCount / 8
        return (seen | word & ((special & (0 &- special)) &- 1)) & highBits == 0
      }
      seen |= word
      index += 8
    }
    while index < bytes.count, case let byte = bytes[index], byte >= 0x20, byte != 0x22, byte != 0x5C {
      seen |= UInt64(byte)
      index += 1
    }
    return seen & highBits == 0
  }

  // MARK: Values

  package func text(of value: RawValue) throws(FormFault) -> String {
    try parsed(value.range(in: bytes)).stringValue ?? ""
  }

  package func texts(of value: RawValue) throws(FormFault) -> [String] {
    // A list without elements.
    if value.range.count == 2 { return [] }
    guard let elements = try parsed(value.range).arrayValue else { throw fault(value, "expected a list of texts") }
    if let other = elements.firstIndex(where: { $0.stringValue == nil }) {
      throw FormFault(offset: start(ofElement: other, in: value), message: "expected a text in this list of texts")
    }
    return elements.compactMap(\.stringValue)
  }

  package func name(of field: Int, in kind: RecordKind) -> String { "\(kind.names[field])" }

  package func start(of value: RawValue) -> Int { value.range(in: bytes).lowerBound }

  // The sequence was parsed before, so its elements are valid.
  package func start(ofElement index: Int, in value: RawValue) -> Int {
    var scanner = self
    scanner.index = value.range.lowerBound + 1
    for _ in 0..<index {
      guard (try? scanner.scanValue()) != nil else { return start(of: value) }
      scanner.skipWhitespace()
      scanner.index += 1
    }
    scanner.skipWhitespace()
    return scanner.index
  }

  package func visitJSON(
    in value: RawValue, of kind: RecordKind, _ reader: RecordReader,
    _ body: (RawRecord, RecordReader) throws(FormFault) -> Void
  ) throws(FormFault) {
    _ = try reader.records(of: kind, in: value) { raw throws(FormFault) in try body(raw, reader) }
  }

  private func fault(_ value: RawValue, _ message: String) -> FormFault {
    FormFault(offset: value.range.lowerBound, message: message)
  }

  /// The parsed value in a range of the file.
  func parsed(_ range: Range<Int>) throws(FormFault) -> JSONValue {
    do {
      return try JSONValue(parsing: UnsafeRawBufferPointer(rebasing: bytes[range]))
    } catch {
      throw FormFault(offset: range.lowerBound + error.offset, message: error.message)
    }
  }

  /// A fault at the current place.
  func unexpected(_ wanted: String) -> FormFault {
    guard index < bytes.count else {
      return FormFault(offset: bytes.count, message: "ends too early: expected \(wanted)")
    }
    let found =
      switch bytes[index] {
      case UInt8(ascii: "\""): "a text"
      case 0x21...0x7E: "\"\(Character(UnicodeScalar(bytes[index])))\""
      case 0x80...: "a character beyond ASCII"
      case let byte: "the control character \(Unicode.Scalar(byte).codePoint)"
      }
    return FormFault(offset: index, message: "expected \(wanted), found \(found)")
  }
}
