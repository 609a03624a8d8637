import BelfryModel
import FoundationEssentials
import Glibc
import PropertyLists

/// Finds records and values in an XML property list, mostly in one pass.
///
/// It expects keys in the order in which Belfry writes them, and compares bytes. Anything written otherwise is read by
/// the slower strict reader of ``PropertyLists``.
package struct PlistScanner: RecordScanner {
  package let bytes: UnsafeRawBufferPointer
  package var index = 0
  private var isSectionEmpty = false
  private var headGuess = 0
  private var headUnknown = UnknownFieldsReader()

  /// A scanner at the start of a file.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // MARK: The store

  package mutating func enterStore() throws(FormFault) {
    try reading { reader throws(PropertyListFault) in try reader.enterDocument() }
    try openDictionary()
  }

  package mutating func nextField(of kind: RecordKind) throws(FormFault) -> Int? {
    var (guess, unknown) = (headGuess, headUnknown)
    defer { (headGuess, headUnknown) = (guess, unknown) }
    while try startEntry() {
      if let field = try key(of: kind, &guess, &unknown) { return field }
    }
    return nil
  }

  package mutating func value() throws(FormFault) -> RawValue { try scanValue() }

  package mutating func enterSection() throws(FormFault) {
    try skip()
    let start = index
    var tag: XMLPropertyListReader.Tag?
    try reading { reader throws(PropertyListFault) in tag = try reader.openingTag() }
    guard let tag, tag.element == .array else { throw FormFault(offset: start, message: "expected <array>") }
    isSectionEmpty = tag.isEmpty
  }

  package mutating func nextRecord(_ record: inout RawRecord) throws(FormFault) -> Bool {
    if isSectionEmpty {
      isSectionEmpty = false
      return false
    }
    try skip()
    if isNext("</") {
      try close(.array, "</array>")
      return false
    }
    try scanRecord(&record)
    return true
  }

  package mutating func leaveStore() throws(FormFault) -> UnknownFields? {
    try reading { reader throws(PropertyListFault) in try reader.leaveDocument() }
    return headUnknown.fields.map(\.unwrapped)
  }

  // MARK: Records

  package func record(in value: RawValue, _ record: inout RawRecord) throws(FormFault) {
    var scanner = PlistScanner(bytes)
    scanner.index = value.range.lowerBound
    try scanner.scanRecord(&record)
  }

  private mutating func scanRecord(_ record: inout RawRecord) throws(FormFault) {
    let start = index
    try openDictionary()
    record.clear()
    var guess = 0
    var unknown = UnknownFieldsReader()
    while try startEntry() {
      guard let field = try key(of: record.kind, &guess, &unknown) else { continue }
      let value = try scanValue()
      if !record.set(field, value) { throw repeated(field, value, in: record.kind) }
    }
    let isOneLine = bytes.baseAddress.map { memchr($0 + start, 0x0A, index - start) == nil } ?? false
    record.close(start..<index, isOneLine: isOneLine, unknown: unknown.fields.map(\.unwrapped))
  }

  /// Moves to the next key of a dictionary; false at the end, whose closing tag it consumes.
  @inline(__always)
  private mutating func startEntry() throws(FormFault) -> Bool {
    try skip()
    guard isNext("</") else { return true }
    try close(.dict, "</dict>")
    return false
  }

  /// Reads a key; `nil` for an unknown one, with its value skipped.
  @inline(__always)
  private mutating func key(
    of kind: RecordKind, _ guess: inout Int, _ unknown: inout UnknownFieldsReader
  ) throws(FormFault) -> Int? {
    let names = PlistNames.all[kind.number]
    // Fields without a value are omitted, so the key may be a later one.
    while guess < names.names.count {
      guess += 1
      if isNext(names, guess - 1) { return guess - 1 }
    }
    let start = index
    var name = ""
    try reading { reader throws(PropertyListFault) in
      name = try reader.text(of: reader.openingTag(of: .key))
    }
    if let field = names.names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
      guess = field + 1
      return field
    }
    try keepAside(name, from: start, &unknown)
    guess = 0
    return nil
  }

  private mutating func keepAside(_ key: String, from start: Int, _ unknown: inout UnknownFieldsReader)
    throws(FormFault)
  {
    try skip()
    var value = PropertyList.bool(false)
    try reading { reader throws(PropertyListFault) in value = try reader.value(depth: 2) }
    let entry = bytes[start..<index]
    let isNew = try unknown.append(key, entry.contains(0x0A) ? oneLine(key, value, at: start) : Array(entry))
    if !isNew { throw repeated(key, at: start) }
  }

  // An unknown entry is rewritten on one line, so that its record takes one line again.
  private func oneLine(_ key: String, _ value: PropertyList, at start: Int) throws(FormFault) -> [UInt8] {
    var entry: [UInt8] = []
    do {
      entry += "<key>".utf8
      try XMLPropertyList.append(text: key, to: &entry)
      entry += "</key>".utf8
      try XMLPropertyList.append(value, to: &entry)
    } catch {
      throw FormFault(offset: start, message: error.message)
    }
    return entry
  }

  /// Consumes the key of a field if it is next.
  @inline(__always)
  private mutating func isNext(_ names: PlistNames, _ field: Int) -> Bool {
    let start = names.starts[field]
    let count = names.starts[field + 1] - start
    guard index + count <= bytes.count, let base = bytes.baseAddress else { return false }
    let isSame = names.elements.withUnsafeBytes { elements in
      elements.baseAddress.map { memcmp(base + index, $0 + start, count) == 0 } ?? false
    }
    if isSame { index += count }
    return isSame
  }
}
