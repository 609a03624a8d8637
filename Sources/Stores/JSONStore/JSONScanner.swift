import BelfryCore
import FileStore
import Foundation
import OrderedJSON

/// Finds records and their values in JSON (RFC 8259) and looks at each byte once.
///
/// It expects keys in the order in which Belfry writes them and compares bytes; what a hand has written otherwise it reads
/// the long way. What it cannot read itself goes through ``JSONValue``, which is as strict.
struct JSONScanner: RecordScanner {
  let bytes: UnsafeRawBufferPointer
  var index = 0
  private var isFirst = true
  private var headGuess = 0
  private var headExtra = JSONExtra()

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // MARK: The store

  mutating func enterStore() throws(StoreFault) {
    // Some editors put a mark before UTF-8.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    skipWhitespace()
    guard current == UInt8(ascii: "{") else { throw unexpected("\"{\"") }
    index += 1
    isFirst = true
  }

  mutating func nextField(of kind: RecordKind) throws(StoreFault) -> Int? {
    var (guess, unknown) = (headGuess, headExtra)
    defer { (headGuess, headExtra) = (guess, unknown) }
    while try startMember() {
      if let field = try key(of: kind, &guess, &unknown) { return field }
    }
    return nil
  }

  mutating func value() throws(StoreFault) -> RawValue { try scanValue() }

  mutating func enterSection() throws(StoreFault) {
    skipWhitespace()
    guard current == UInt8(ascii: "[") else { throw unexpected("\"[\"") }
    index += 1
    isFirst = true
  }

  mutating func nextRecord(_ record: inout RawRecord) throws(StoreFault) -> Bool {
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

  mutating func leaveStore() throws(StoreFault) -> (any RecordExtra)? {
    skipWhitespace()
    guard index == bytes.count else { throw unexpected("the end of the file") }
    return headExtra.isEmpty ? nil : headExtra
  }

  // MARK: Records

  func record(in value: RawValue, _ record: inout RawRecord) throws(StoreFault) {
    var scanner = JSONScanner(bytes)
    scanner.index = value.range.lowerBound
    try scanner.scanRecord(&record)
  }

  private mutating func scanRecord(_ record: inout RawRecord) throws(StoreFault) {
    let start = index
    guard current == UInt8(ascii: "{") else { throw unexpected("\"{\"") }
    record.clear()
    index += 1
    isFirst = true
    var guess = 0
    var unknown = JSONExtra()
    while try startMember() {
      guard let field = try key(of: record.kind, &guess, &unknown) else { continue }
      let value = try scanValue()
      if !record.set(field, value) { throw repeated(field, value, in: record.kind) }
    }
    let isOneLine = bytes.baseAddress.map { memchr($0 + start, 0x0A, index - start) == nil } ?? false
    record.close(start..<index, canBeCopied: isOneLine, extra: unknown.isEmpty ? nil : unknown)
  }

  /// Steps to the next key of an object; false behind the last member, which leaves it.
  @inline(__always)
  private mutating func startMember() throws(StoreFault) -> Bool {
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
    of kind: RecordKind, _ guess: inout Int, _ unknown: inout JSONExtra
  ) throws(StoreFault) -> Int? {
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
    if let field = kind.names.firstIndex(where: { $0.withUTF8Buffer { $0.elementsEqual(key.utf8) } }) {
      guess = field + 1
      return field
    }
    try keepAside(key, from: start, &unknown)
    guess = 0
    return nil
  }

  private mutating func keepAside(_ key: String, from start: Int, _ unknown: inout JSONExtra) throws(StoreFault) {
    guard !unknown.contains(key) else {
      throw .damaged(offset: start, message: "the key \(shown(key)) stands here for the second time")
    }
    _ = try parsed(scanValue().range(in: bytes))
    // No text holds a line end as it is, so that without them the record takes one line again.
    unknown.append(key, bytes[start..<index].lazy.filter { $0 != 0x0A && $0 != 0x0D })
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

/// Members that Belfry does not know, as they stood.
struct JSONExtra: RecordExtra {
  private var keys: [String] = []
  /// The members with the commas between them.
  private(set) var members: [UInt8] = []

  var isEmpty: Bool { keys.isEmpty }

  func contains(_ key: String) -> Bool { keys.contains { $0.utf8.elementsEqual(key.utf8) } }

  mutating func append(_ key: String, _ member: some Sequence<UInt8>) {
    if !keys.isEmpty { members.append(UInt8(ascii: ",")) }
    keys.append(key)
    members.append(contentsOf: member)
  }
}

extension RawValue {
  /// The bytes of the value with the quotation marks of a text.
  func range(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
    kind == .text || kind == .escapedText ? (range.lowerBound - 1)..<(range.upperBound + 1) : range
  }
}
