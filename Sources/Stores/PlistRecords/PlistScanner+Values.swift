import BelfryModel
import FoundationEssentials
import Glibc
import PropertyLists

extension PlistScanner {
  /// Skips white space, comments and processing instructions between elements.
  @inline(__always)
  mutating func skip() throws(FormFault) {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "<") {
        guard isNext("<!") || isNext("<?") else { return }
        break
      }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      index += 1
    }
    try reading { reader throws(PropertyListFault) in try reader.skipBetweenElements() }
  }

  /// Runs the strict reader from the current place, and continues where it stops.
  mutating func reading(
    _ body: (inout XMLPropertyListReader) throws(PropertyListFault) -> Void
  ) throws(FormFault) {
    var reader = XMLPropertyListReader(bytes: bytes, allowsControlCharacters: false)
    if index > 0 { reader.index = index }
    do {
      try body(&reader)
    } catch {
      throw FormFault(offset: error.offset, message: error.message)
    }
    index = reader.index
  }

  @inline(__always)
  func isNext(_ mark: StaticString) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard index + count <= bytes.count, let base = bytes.baseAddress else { return false }
    return memcmp(base + index, mark.utf8Start, count) == 0
  }

  /// Consumes the opening tag of a dictionary.
  mutating func openDictionary() throws(FormFault) {
    let start = index
    if isNext("<dict>") {
      index += 6
      return
    }
    var tag: XMLPropertyListReader.Tag?
    try reading { reader throws(PropertyListFault) in tag = try reader.openingTag() }
    guard let tag, tag.element == .dict, !tag.isEmpty else {
      throw FormFault(offset: start, message: "expected a dictionary, <dict>…</dict>")
    }
  }

  /// Consumes a closing tag.
  ///
  /// - Parameter usual: the tag without white space, as it is nearly always written.
  @inline(__always)
  mutating func close(_ element: XMLPropertyListReader.Element, _ usual: StaticString) throws(FormFault) {
    if isNext(usual) {
      index += usual.utf8CodeUnitCount
      return
    }
    try reading { reader throws(PropertyListFault) in try reader.closingTag(element) }
  }

  /// Finds the next value and moves past it.
  @inline(__always)
  mutating func scanValue() throws(FormFault) -> RawValue {
    try skip()
    let start = index
    if isNext("<string>") { return try scanText(.string, "<string>", "</string>") }
    if isNext("<true/>") { return step(7, .yes) }
    if isNext("<false/>") { return step(8, .no) }
    if isNext("<integer>") { return try scanPlain(.integer, "<integer>", "</integer>", .number) }
    if isNext("<date>") { return try scanPlain(.date, "<date>", "</date>", .text) }
    if isNext("<array>") || isNext("<dict>") { return try scanCompound() }
    var value = PropertyList.bool(false)
    try reading { reader throws(PropertyListFault) in value = try reader.value(depth: 2) }
    switch value {
    case .bool(let isTrue): return RawValue(isTrue ? .yes : .no, start..<index)
    case .string(""): return RawValue(.text, index..<index)
    // Only an unusual spelling gets here, such as white space in a tag.
    case .string, .integer, .largeInteger, .real, .date:
      throw FormFault(offset: start, message: "write this without white space inside the tags")
    case .array: return RawValue(.array, start..<index)
    case .dictionary, .data, .uid: return RawValue(.object, start..<index)
    }
  }

  private mutating func step(_ count: Int, _ kind: RawValue.Kind) -> RawValue {
    index += count
    return RawValue(kind, (index - count)..<index)
  }

  @inline(__always)
  private mutating func scanText(
    _ element: XMLPropertyListReader.Element, _ opening: StaticString, _ closing: StaticString
  ) throws(FormFault) -> RawValue {
    let start = index + opening.utf8CodeUnitCount
    var end = start
    var isPlain = true
    while end < bytes.count, bytes[end] != UInt8(ascii: "<") {
      let byte = bytes[end]
      if byte >= 0x80 || byte < 0x20 || byte == UInt8(ascii: "&") { isPlain = false }
      end += 1
    }
    index = end
    if isPlain, isNext("</") {
      try close(element, closing)
      return RawValue(.text, start..<end)
    }
    index = start
    try reading { reader throws(PropertyListFault) in
      _ = try reader.text(of: XMLPropertyListReader.Tag(element))
    }
    return RawValue(.escapedText, start..<index)
  }

  // The text is not checked here; that is done when the value is read.
  @inline(__always)
  private mutating func scanPlain(
    _ element: XMLPropertyListReader.Element, _ opening: StaticString, _ closing: StaticString, _ kind: RawValue.Kind
  ) throws(FormFault) -> RawValue {
    let value = try scanText(element, opening, closing)
    guard value.kind == .text else {
      throw FormFault(offset: value.range.lowerBound, message: "expected nothing but plain characters here")
    }
    return RawValue(kind, value.range)
  }

  // Only tags are counted; the value is parsed when it is needed.
  private mutating func scanCompound() throws(FormFault) -> RawValue {
    let start = index
    let kind: RawValue.Kind = isNext("<array>") ? .array : .object
    var depth = 0
    repeat {
      guard let base = bytes.baseAddress, let found = memchr(base + index, 0x3C, bytes.count - index) else {
        throw FormFault(offset: start, message: "the value that starts here is never closed")
      }
      index = base.distance(to: found)
      if isNext("<!") || isNext("<?") {
        // A `<` inside a comment or CDATA section may not be a tag, so the strict reader takes over.
        index = start
        try reading { reader throws(PropertyListFault) in _ = try reader.value(depth: 2) }
        return RawValue(kind, start..<index)
      }
      let isClosing = isNext("</")
      guard let end = memchr(found, 0x3E, bytes.count - index) else {
        throw FormFault(offset: index, message: "this tag is never closed")
      }
      index = base.distance(to: end) + 1
      if isClosing { depth -= 1 } else if bytes[index - 2] != UInt8(ascii: "/") { depth += 1 }
    } while depth > 0
    return RawValue(kind, start..<index)
  }

  // MARK: Decoding

  package func text(of value: RawValue) throws(FormFault) -> String {
    var scanner = self
    scanner.index = value.range.lowerBound
    var text = ""
    try scanner.reading { reader throws(PropertyListFault) in
      text = try reader.text(of: XMLPropertyListReader.Tag(.string))
    }
    return text
  }

  package func texts(of value: RawValue) throws(FormFault) -> [String] {
    var scanner = self
    scanner.index = value.range.lowerBound
    var list = PropertyList.bool(false)
    try scanner.reading { reader throws(PropertyListFault) in list = try reader.value(depth: 2) }
    guard let elements = list.arrayValue else {
      throw FormFault(offset: value.range.lowerBound, message: "expected a list of texts")
    }
    if let other = elements.firstIndex(where: { $0.stringValue == nil }) {
      throw FormFault(offset: start(ofElement: other, in: value), message: "expected a text in this list of texts")
    }
    return elements.compactMap(\.stringValue)
  }

  package func name(of field: Int, in kind: RecordKind) -> String { PlistNames.all[kind.number].names[field] }

  // The start of the text after its tag, as the place for an error message.
  package func start(of value: RawValue) -> Int { value.range.lowerBound }

  // The array was read before, so this does not fail.
  package func start(ofElement index: Int, in value: RawValue) -> Int {
    var scanner = self
    scanner.index = value.range.lowerBound
    do {
      try scanner.reading { reader throws(PropertyListFault) in _ = try reader.openingTag(of: .array) }
      for _ in 0..<index { _ = try scanner.scanValue() }
      try scanner.skip()
      return scanner.index
    } catch {
      return start(of: value)
    }
  }

  package func visitJSON(
    in value: RawValue, of kind: RecordKind, _ reader: RecordReader,
    _ body: (RawRecord, RecordReader) throws(FormFault) -> Void
  ) throws(FormFault) {
    for text in try texts(of: value) {
      do {
        try kind.read(json: text, body)
      } catch {
        throw FormFault(offset: value.range.lowerBound, message: "a \(kind.noun): \(error.message)")
      }
    }
  }
}
