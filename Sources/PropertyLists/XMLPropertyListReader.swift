/// A recursive-descent reader of property lists in XML 1.0, in UTF-8.
///
/// It supports the parts of XML that property lists need: a document type without declarations, comments, processing
/// instructions, CDATA, the five named entities and character references.
package struct XMLPropertyListReader {
  let bytes: UnsafeRawBufferPointer
  let allowsControlCharacters: Bool
  /// The place of the next byte.
  package var index: Int

  package init(bytes: UnsafeRawBufferPointer, allowsControlCharacters: Bool) {
    self.bytes = bytes
    self.allowsControlCharacters = allowsControlCharacters
    index = XMLScanning.markLength(of: bytes)
  }

  /// The whole document: a prolog, one `plist` element with one value in it, and only comments after it.
  mutating func document() throws(PropertyListFault) -> PropertyList {
    try enterDocument()
    let value = try value(depth: 0)
    try leaveDocument()
    return value
  }

  /// Skips the part before the document's value.
  package mutating func enterDocument() throws(PropertyListFault) {
    try prolog()
    let start = index
    let tag = try openingTag(of: .plist, allowsAttributes: true)
    guard !tag.isEmpty else { throw PropertyListFault(offset: start, message: "this <plist> holds nothing") }
    try skipBetweenElements()
  }

  /// Checks that nothing follows the document's value.
  package mutating func leaveDocument() throws(PropertyListFault) {
    try skipBetweenElements()
    try closingTag(.plist)
    try skipBetweenElements()
    guard index == bytes.count else { throw unexpected(wanted: "the end of the file") }
  }

  /// The value at the current place, up to its end.
  package mutating func value(depth: Int) throws(PropertyListFault) -> PropertyList {
    let start = index
    let tag = try openingTag()
    switch tag.element {
    case .dict: return try dictionary(tag, depth: depth + 1, from: start)
    case .array: return .array(try array(tag, depth: depth + 1, from: start))
    case .string: return .string(try text(of: tag))
    case .true, .false:
      if !tag.isEmpty { try closingTag(tag.element) }
      return .bool(tag.element == .true)
    case .integer, .real, .date, .data: return try scalar(of: tag, from: start)
    case .key: throw PropertyListFault(offset: start, message: "a <key> must be in a <dict>, before its value")
    case .plist: throw PropertyListFault(offset: start, message: "a <plist> must not be in another")
    }
  }

  private mutating func array(_ tag: Tag, depth: Int, from start: Int) throws(PropertyListFault) -> [PropertyList] {
    guard depth <= PropertyList.deepestNesting else { throw .tooDeep(at: start) }
    var elements: [PropertyList] = []
    while try isBeforeElement(in: tag) { elements.append(try value(depth: depth)) }
    return elements
  }

  private mutating func dictionary(_ tag: Tag, depth: Int, from start: Int) throws(PropertyListFault) -> PropertyList {
    guard depth <= PropertyList.deepestNesting else { throw .tooDeep(at: start) }
    var entries: [PropertyListDictionary.Entry] = []
    while try isBeforeElement(in: tag) {
      let key = try text(of: openingTag(of: .key))
      try skipBetweenElements()
      entries.append(PropertyListDictionary.Entry(key: key, value: try value(depth: depth)))
    }
    let dictionary = PropertyListDictionary(entries)
    if let key = dictionary.duplicateKey { throw .duplicate(key: key, at: start) }
    if entries.count == 1, entries[0].key == "CF$UID", case .integer(let number) = entries[0].value, number >= 0 {
      return .uid(UInt64(number))
    }
    return .dictionary(dictionary)
  }

  /// Skips to the next element inside a container; consumes its closing tag and returns false at the end.
  private mutating func isBeforeElement(in tag: Tag) throws(PropertyListFault) -> Bool {
    if tag.isEmpty { return false }
    try skipBetweenElements()
    guard isNext("</") else { return true }
    try closingTag(tag.element)
    return false
  }
}
