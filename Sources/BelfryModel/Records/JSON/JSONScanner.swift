import FoundationEssentials
import Glibc
import OrderedJSON

/// Finds records and their values in JSON (RFC 8259) and looks at each byte once.
///
/// It expects keys in the order in which Belfry writes them and compares bytes; what a hand has written otherwise it reads
/// the long way. What it cannot read itself goes through ``JSONValue``, which is as strict.
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
    // Some editors put a mark before UTF-8.
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

  /// Finds the values of the record that the bytes are.
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

  /// Steps to the next key of an object; false behind the last member, which leaves it.
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

  /// Reads a key and its colon; nil, and behind its value, where nobody knows it.
  @inline(__always)
  private mutating func key(
    of kind: RecordKind, _ guess: inout Int, _ unknown: inout UnknownFieldsReader
  ) throws(FormFault) -> Int? {
    // Fields without a value are left out: the next one may be further on.
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
    // No text holds a line end as it is, so that without them the record takes one line again.
    let member = bytes[start..<index].lazy.filter { $0 != 0x0A && $0 != 0x0D }
    guard unknown.append(key, member, separator: UInt8(ascii: ",")) else { throw repeated(key, at: start) }
  }

  /// Steps over a key and its colon if they are next, without white space between.
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
  /// The bytes of the value with the quotation marks of a text.
  func range(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
    kind == .text || kind == .escapedText ? (range.lowerBound - 1)..<(range.upperBound + 1) : range
  }
}
