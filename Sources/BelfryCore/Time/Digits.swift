/// The value of a run of ASCII digits, or `nil` where it is empty, holds anything else, or has more than 18 digits.
func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard (1...18).contains(digits.count) else { return nil }
  var value = 0
  for digit in digits {
    guard isDigit(digit) else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value
}

/// Whether a byte is one of `0` to `9`.
func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// Whether a byte is one of `A` to `Z` or `a` to `z`.
func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

/// A non-negative number in decimal, filled up with zeros on the left to at least `width` digits.
func padded(_ value: Int, _ width: Int) -> String {
  var text: [UInt8] = []
  text.appendPadded(value, width)
  return String(decoding: text, as: UTF8.self)
}

extension [UInt8] {
  /// Appends a non-negative number in decimal, filled up with zeros on the left to at least `width` digits.
  mutating func appendPadded(_ value: Int, _ width: Int) {
    guard value >= 10 || width > 1 else {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
      return
    }
    appendPadded(value / 10, width - 1)
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
  }
}
