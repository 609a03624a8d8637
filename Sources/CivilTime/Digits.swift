import ByteOutput

/// The value of ASCII digits; `nil` if there are none, more than 18, or other bytes.
@inlinable
package func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard (1...18).contains(digits.count) else { return nil }
  var value = 0
  for digit in digits {
    guard isDigit(digit) else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value
}

/// True if a byte is one of `0` to `9`.
@inlinable
package func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// True if a byte is one of `A` to `Z` or `a` to `z`.
package func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

/// A non-negative number in decimal, padded with zeros on the left to at least `width` digits.
package func padded(_ value: Int, _ width: Int) -> String {
  String(atMost: max(width, 19)) { $0.appendPadded(value, width) }
}
