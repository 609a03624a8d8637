/// A value of CBOR (RFC 8949), as far as authenticators use it.
package indirect enum CBORValue: Hashable, Sendable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// Pairs with different keys.
  case map([Pair])
  case boolean(Bool)
  case null

  /// A key with its value.
  package struct Pair: Hashable, Sendable {
    package let key: CBORValue
    package let value: CBORValue
  }

  /// The value of a key; `nil` if this is not a map, or has no such key.
  package subscript(key: CBORValue) -> CBORValue? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }

  /// The bytes of a byte string.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// A strict reader of CBOR in the form of authenticators (CTAP 2.1, section 8): definite lengths, each number as short
/// as can be, no tags, no floating point, no key twice.
package struct CBORReader {
  // The deepest nesting, more than any authenticator uses: a statement with certificates has four levels.
  private static let deepest = 8

  private let bytes: [UInt8]
  /// The number of bytes read so far.
  package private(set) var position = 0

  /// A reader at the start of some bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one value, which must take up all bytes.
  ///
  /// - Throws: ``PasskeyFault``.
  package static func value(_ bytes: [UInt8]) throws(PasskeyFault) -> CBORValue {
    var reader = CBORReader(bytes)
    let value = try reader.value()
    guard reader.position == bytes.count else { throw PasskeyFault("the CBOR data is followed by other bytes") }
    return value
  }

  /// Reads the next value.
  ///
  /// - Throws: ``PasskeyFault``.
  package mutating func value() throws(PasskeyFault) -> CBORValue { try value(depth: 0) }

  private mutating func value(depth: Int) throws(PasskeyFault) -> CBORValue {
    guard depth < Self.deepest else { throw PasskeyFault("CBOR is nested too deep") }
    let start = try take(1)[0]
    let (kind, information) = (start >> 5, start & 31)
    if kind == 7 { return try simple(information) }
    let argument = try argument(information)
    switch kind {
    case 0, 1:
      guard let number = Int64(exactly: argument) else { throw PasskeyFault("a CBOR number is too large") }
      return .integer(kind == 0 ? number : -1 - number)
    case 2: return .bytes(try take(argument))
    case 3:
      guard let text = String(validating: try take(argument), as: UTF8.self) else {
        throw PasskeyFault("a CBOR text is not UTF-8")
      }
      return .text(text)
    case 4:
      var values: [CBORValue] = []
      // Each value takes at least a byte, so a count that is too high fails at the end of the bytes.
      for _ in 0..<(try count(argument)) { values.append(try value(depth: depth + 1)) }
      return .array(values)
    case 5: return .map(try pairs(try count(argument), depth: depth + 1))
    default: throw PasskeyFault("the CBOR data has a tag, which authenticators do not use")
    }
  }

  private mutating func pairs(_ count: Int, depth: Int) throws(PasskeyFault) -> [CBORValue.Pair] {
    var pairs: [CBORValue.Pair] = []
    var keys: Set<CBORValue> = []
    for _ in 0..<count {
      let key = try value(depth: depth)
      guard keys.insert(key).inserted else { throw PasskeyFault("a CBOR map has a key twice") }
      pairs.append(CBORValue.Pair(key: key, value: try value(depth: depth)))
    }
    return pairs
  }

  private func simple(_ information: UInt8) throws(PasskeyFault) -> CBORValue {
    switch information {
    case 20: .boolean(false)
    case 21: .boolean(true)
    case 22: .null
    default: throw PasskeyFault("CBOR has a value that authenticators do not use")
    }
  }

  private mutating func argument(_ information: UInt8) throws(PasskeyFault) -> UInt64 {
    guard information >= 24 else { return UInt64(information) }
    guard information <= 27 else {
      throw PasskeyFault("the CBOR data has an indefinite length, which authenticators do not use")
    }
    let length = 1 << Int(information - 24)
    let value = try take(UInt64(length)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let least: UInt64 = length == 1 ? 24 : 1 << UInt64(length * 4)
    guard value >= least else { throw PasskeyFault("a CBOR number is longer than necessary") }
    return value
  }

  private func count(_ argument: UInt64) throws(PasskeyFault) -> Int {
    guard argument <= UInt64(bytes.count - position) else { throw PasskeyFault("CBOR ends too early") }
    return Int(argument)
  }

  private mutating func take(_ count: UInt64) throws(PasskeyFault) -> [UInt8] {
    let count = try self.count(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
}
