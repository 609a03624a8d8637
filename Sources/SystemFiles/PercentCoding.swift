/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentCoding {
  /// The text as a single word.
  ///
  /// - Parameter reserved: the characters to encode besides white space, control characters and the percent sign.
  package static func encoded(_ text: String, reserved: Set<Unicode.Scalar> = []) -> String {
    var word = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace || scalar.value < 0x20 || scalar == "%" || reserved.contains(scalar) {
        for byte in String(scalar).utf8 {
          word += byte < 0x10 ? "%0" : "%"
          word += String(byte, radix: 16, uppercase: true)
        }
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    return word
  }

  /// The decoded text; invalid escapes are left unchanged.
  package static func decoded(_ word: some StringProtocol) -> String {
    let bytes = Array(word.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return String(word) }
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        text.append(high << 4 | low)
        index += 3
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    return String(validating: text, as: UTF8.self) ?? String(word)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8(truncatingIfNeeded: $0) }
  }
}
