import FoundationEssentials
import Glibc
import OrderedJSON

/// Finds records and their values in JSON (RFC 8259) in one pass over the bytes.
///
/// The fast path expects keys in the order in which Belfry writes them and compares bytes. Other keys, as written by
/// hand, are parsed by ``JSONValue``, which is equally strict.
package struct JSONScanner: RecordScanner {
  package let bytes: UnsafeRawBufferPointer
  package var index = 0
  private var isFirst = true
  private var headGuess = 0
  private var headUnknown = UnknownFieldsReader()

  /// A scanner at the start of a file.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // MARK: The store

  package mutating func enterStore() throws(FormFault) {
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    skipWhitespace()
    guard current == UInt8(ascii: "{") else { throw unexpected("\"{\"") }
    index += 1
    isFirst = true
  }

  package mutating func nextField(of kind: RecordKind) throws(FormFault) -> Int? {
    var (guess, unknown) = (headGuess, headUnknown)
    defer { (headGuess, headUnknown) = (guess, unknown) }
    while try startMember() {
      if let field = try key(of: kind, &guess, &unknown) { return field }
    }
    return nil
  }

  package mutating func value() throws(FormFault) -> RawValue { try scanValue() }

  package mutating func enterSection() throws(FormFault) {
    skipWhitespace()
    guard current == UInt8(ascii: "[") else { throw unexpected("\"[\"") }
    index += 1
    isFirst = true
  }

  package mutating func nextRecord(_ record: inout RawRecord) throws(FormFault) -> Bool {
    skipWhitespace()
    if current == UInt8(ascii: "]") {
      index += 1
      isFirst = false
      return false
    }
    if !isFirst {
      guard current == UInt8(ascii: ",") else { throw unexpected("\",\" or \"]\"") }
      index += 1
      skipWhitespace()
    }
    try scanRecord(&record)
    isFirst = false
    return true
  }

  package mutating func leaveStore() throws(FormFault) -> UnknownFields? {
    skipWhitespace()
    guard index == bytes.count else { throw unexpected("the end of the file") }
    return headUnknown.fields?.unwrapped
  }

  // MARK: Records

  package func record(in value: RawValue, _ record: inout RawRecord) throws(FormFault) {
    var scanner = JSONScanner(bytes)
    scanner.index = value.range.lowerBound
    try scanner.scanRecord(&record)
  }

  /// Finds the values of the only record in the bytes.
  mutating func onlyRecord(_ record: inout RawRecord) throws(FormFault) {
    skipWhitespace()
    try scanRecord(&record)
    _ = try leaveStore()
  }

  private mutating func scanRecord(_ record: inout RawRecord) throws(FormFault) {
    let start = index
    guard current == UInt8(ascii: "{") else { throw unexpected("\"{\"") }
    record.clear()
    index += 1
    isFirst = true
    var guess = 0
    var unknown = UnknownFieldsReader()
    while try startMember() {
      guard let field = try key(of: record.kind, &guess, &unknown) else { continue }
      let value = try scanValue()
      if !record.set(field, value) { throw repeated(field, value, in: record.kind) }
    }
    let isOneLine = bytes.baseAddress.map { memchr($0 + start, 0x0A, index - start) == nil } ?? false
    record.close(start..<index, isOneLine: isOneLine, unknown: unknown.fields?.unwrapped)
  }

  /// Moves to the next key of an object. After the last member moves past the object and returns `false`.
  @inline(__always)
  private mutating func startMember() throws(FormFault) -> Bool {
    skipWhitespace()
    if current == UInt8(ascii: "}") {
      index += 1
      return false
    }
    if isFirst {
      isFirst = false
    } else {
      guard current == UInt8(ascii: ",") else { throw unexpected("\",\" or \"}\"") }
      index += 1
      skipWhitespace()
    }
    guard current == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    return true
  }

  /// Reads a key and its colon. An unknown key is kept aside with its value, and the result is `nil`.
  @inline(__always)
  private mutating func key(
    of kind: RecordKind, _ guess: inout Int, _ unknown: inout UnknownFieldsReader
  ) throws(FormFault) -> Int? {
    // Fields without a value are left out, so the next key may be a later one.
    while guess < kind.names.count {
      guess += 1
      if isNextKey(kind.names[guess - 1]) { return guess - 1 }
    }
    let start = index
    let key = try parsed(scanValue().range(in: bytes)).stringValue ?? ""
    skipWhitespace()
    guard current == UInt8(ascii: ":") else { throw unexpected("\":\"") }
    index += 1
    if let field = kind.index(of: key) {
      guess = field + 1
      return field
    }
    try keepAside(key, from: start, &unknown)
    guess = 0
    return nil
  }

  private mutating func keepAside(_ key: String, from start: Int, _ unknown: inout UnknownFieldsReader)
    throws(FormFault)
  {
    _ = try parsed(scanValue().range(in: bytes))
    // Line ends are white space here, since texts escape them. Without them the record stays on one line when written.
    let member = bytes[start..<index].lazy.filter { $0 != 0x0A && $0 != 0x0D }
    guard unknown.append(key, member, separator: UInt8(ascii: ",")) else { throw repeated(key, at: start) }
  }

  /// Moves past a key and its colon if they are next, without white space in between.
  @inline(__always)
  private mutating func isNextKey(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    let end = index + count + 3
    guard end <= bytes.count, bytes[end - 2] == UInt8(ascii: "\""), bytes[end - 1] == UInt8(ascii: ":"),
      let base = bytes.baseAddress, memcmp(base + index + 1, name.utf8Start, count) == 0
    else { return false }
    index = end
    return true
  }
}

extension RawValue {
  /// The bytes of the value, including the quotation marks of a text.
  func range(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
    kind == .text || kind == .escapedText ? (range.lowerBound - 1)..<(range.upperBound + 1) : range
  }
}
