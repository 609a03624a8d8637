/// The value of ASCII digits; `nil` if there are none, more than 18, or other bytes.
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
package func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// True if a byte is one of `A` to `Z` or `a` to `z`.
package func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

/// A non-negative number in decimal, padded with zeros on the left to at least `width` digits.
package func padded(_ value: Int, _ width: Int) -> String {
  String(capacity: max(width, 19)) { $0.appendPadded(value, width) }
}

extension String {
  /// A string written in place, of at most `capacity` bytes in UTF-8.
  package init(capacity: Int, initializingWith write: (inout OutputSpan<UInt8>) -> Void) {
    self.init(unsafeUninitializedCapacity: capacity) { buffer in
      var output = OutputSpan(buffer: buffer, initializedCount: 0)
      write(&output)
      return output.finalize(for: buffer)
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a text in UTF-8.
  package mutating func append(text: String) {
    for byte in text.utf8 { append(byte) }
  }

  /// Appends a non-negative number in decimal, padded with zeros on the left to at least `width` digits.
  package mutating func appendPadded(_ value: Int, _ width: Int) {
    if value >= 10 || width > 1 { appendPadded(value / 10, width - 1) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
  }
}
