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
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
