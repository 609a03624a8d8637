import Foundation

/// UUIDs in their 36 characters, in small letters.
package enum IdentityText {
  /// The identity that exactly 36 bytes name, in letters of either case; nil for anything else.
  package static func uuid(_ bytes: UnsafeRawBufferPointer) -> UUID? {
    let dash = UInt8(ascii: "-")
    guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash else {
      return nil
    }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var invalid: UInt8 = 0
    for index in 0..<18 where index != 8 && index != 13 { invalid |= add(bytes[index], to: &high) }
    for index in 19..<36 where index != 23 { invalid |= add(bytes[index], to: &low) }
    guard invalid & 0xF0 == 0 else { return nil }
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Appends an identity.
  package static func append(_ identity: UUID, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: identity.uuid) { raw in
      for (index, byte) in raw.enumerated() {
        if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 0x0F)])
      }
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  @inline(__always)
  private static func add(_ byte: UInt8, to number: inout UInt64) -> UInt8 {
    let value = value(of: byte)
    number = number << 4 | UInt64(value & 0x0F)
    return value
  }

  /// The value of a hexadecimal digit; 0xFF for every other byte.
  @inline(__always)
  private static func value(of byte: UInt8) -> UInt8 {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : 0xFF
  }
}
