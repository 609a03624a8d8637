/// A recursive-descent parser of one document in UTF-8 (RFC 8259).
struct JSONParser {
  let bytes: UnsafeRawBufferPointer
  let maximumDepth: Int
  let duplicateKeys: JSONDuplicateKeys
  var index = 0
  /// The text of a string with escapes; a property so that its memory is reused.
  var unescaped: [UInt8] = []
  /// The size of the object read last, which the next one, often its sibling, is likely to have. It is used once, so
  /// that a large object cannot make many small ones reserve its size.
  private var likelyCount = 0

  init(bytes: UnsafeRawBufferPointer, maximumDepth: Int, duplicateKeys: JSONDuplicateKeys) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.duplicateKeys = duplicateKeys
  }

  /// The whole document: one value with only white space around it (section 2).
  mutating func document() throws(JSONFault) -> JSONValue {
    try refuseOtherEncodings()
    skipWhitespace()
    guard index < bytes.count else { throw JSONFault(offset: index, message: "the document is empty") }
    let value = try value(depth: 0)
    skipWhitespace()
    guard index == bytes.count else { throw unexpected(wanted: "the end of the document") }
    return value
  }

  private func refuseOtherEncodings() throws(JSONFault) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONFault(offset: 0, message: "starts with a byte order mark, which JSON must not have")
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0) {
      throw JSONFault(offset: 0, message: "is not UTF-8 (it looks like UTF-16 or binary data)")
    }
  }

  /// Any value; `depth` is the number of arrays and objects around it.
  mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    switch current {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw unexpected(wanted: "a value")
    }
  }

  private mutating func array(depth: Int) throws(JSONFault) -> [JSONValue] {
    try enter(depth: depth)
    var elements: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      index += 1
      return elements
    }
    while true {
      elements.append(try value(depth: depth))
      skipWhitespace()
      switch current {
      case UInt8(ascii: ","):
        index += 1
        skipWhitespace()
      case UInt8(ascii: "]"):
        index += 1
        return elements
      default: throw unexpected(wanted: "\",\" or \"]\"")
      }
    }
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
    try enter(depth: depth)
    var members: [JSONObject.Member] = []
    if current == UInt8(ascii: "}") {
      index += 1
      return JSONObject(uniqueMembers: members)
    }
    members.reserveCapacity(likelyCount)
    likelyCount = 0
    defer { likelyCount = members.count }
    var known = MemberIndex()
    while true {
      try member(into: &members, known: &known, depth: depth)
      skipWhitespace()
      switch current {
      case UInt8(ascii: ","):
        index += 1
        skipWhitespace()
      case UInt8(ascii: "}"):
        index += 1
        return JSONObject(uniqueMembers: members)
      default: throw unexpected(wanted: "\",\" or \"}\"")
      }
    }
  }

  @inline(__always)
  private mutating func member(
    into members: inout [JSONObject.Member], known: inout MemberIndex, depth: Int
  ) throws(JSONFault) {
    let start = index
    guard current == UInt8(ascii: "\"") else { throw unexpected(wanted: "a key in double quotes") }
    let key = try string()
    let earlier = known.position(of: key, in: members)
    if earlier != nil, duplicateKeys == .refuse {
      throw JSONFault(offset: start, message: "the key \(JSONQuotation.quotation(of: key)) is in its object twice")
    }
    skipWhitespace()
    guard current == UInt8(ascii: ":") else { throw unexpected(wanted: "\":\"") }
    index += 1
    skipWhitespace()
    let value = try value(depth: depth)
    if let earlier {
      members[earlier].value = value
    } else {
      members.append(JSONObject.Member(key: key, value: value))
    }
  }

  /// Steps over an opening bracket and the white space behind it.
  private mutating func enter(depth: Int) throws(JSONFault) {
    guard depth <= maximumDepth else {
      throw JSONFault(offset: index, message: "is nested deeper than \(maximumDepth) levels")
    }
    index += 1
    skipWhitespace()
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    let end = index + word.utf8CodeUnitCount
    let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end <= bytes.count, UnsafeRawBufferPointer(rebasing: bytes[index..<end]).elementsEqual(expected) else {
      throw unexpected(wanted: "a value")
    }
    index = end
    return value
  }
}

extension JSONParser {
  /// The next byte; at the end NUL, with which no token starts.
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

  /// The fault at the current place.
  func unexpected(wanted: String) -> JSONFault {
    guard index < bytes.count else {
      return JSONFault(offset: index, message: "ends too early: expected \(wanted)")
    }
    let found =
      switch bytes[index] {
      case 0x21...0x7E: "\"\(Character(UnicodeScalar(bytes[index])))\""
      case 0x80...: "a character beyond ASCII"
      case let byte: "the control character \(JSONQuotation.codePoint(byte))"
      }
    return JSONFault(offset: index, message: "expected \(wanted), found \(found)")
  }
}
