/// Base64 for URLs and file names, without padding (RFC 4648, section 5).
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The encoded form of these bytes, as a text.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 8 + 5) / 6)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text, which must be `count` in number; `nil` for another length, other characters, and unused bits
  /// that are not zero.
  package static func decode(_ text: some StringProtocol, count: Int) -> [UInt8]? {
    guard text.utf8.count == (count * 8 + 5) / 6 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var (bits, left): (UInt32, Int) = (0, 0)
    for character in text.utf8 {
      guard let value = values[Int(character)] else { return nil }
      bits = bits << 6 | UInt32(value)
      left += 6
      if left >= 8 {
        left -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(left)))
      }
    }
    return bits & (1 << UInt32(left) - 1) == 0 ? bytes : nil
  }
}
