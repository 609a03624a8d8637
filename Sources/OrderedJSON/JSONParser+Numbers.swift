extension JSONParser {
  /// A number (section 6); an integer if it is written as one and fits 64 bits.
  mutating func number() throws(JSONFault) -> JSONValue {
    let start = index
    var decimal = Decimal()
    if current == UInt8(ascii: "-") {
      decimal.isNegative = true
      index += 1
    }
    let firstDigit = current
    let whole = try digits(into: &decimal)
    if firstDigit == UInt8(ascii: "0"), whole > 1 {
      throw JSONFault(offset: start, message: "a number must not start with a zero")
    }
    var isWhole = true
    if current == UInt8(ascii: ".") {
      index += 1
      isWhole = false
      decimal.exponent -= try digits(into: &decimal)
    }
    if current | 0x20 == UInt8(ascii: "e") {
      index += 1
      isWhole = false
      decimal.exponent += try exponent()
    }
    if isWhole, let integer = decimal.integer { return .integer(integer) }
    if let exact = decimal.exactDouble { return .number(exact) }
    guard let rounded = Double(String(decoding: bytes[start..<index], as: UTF8.self)), rounded.isFinite else {
      throw JSONFault(offset: start, message: "this number is too large")
    }
    return .number(rounded)
  }

  /// Reads one digit or more; returns how many.
  @inline(__always)
  private mutating func digits(into decimal: inout Decimal) throws(JSONFault) -> Int {
    let start = index
    while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
      decimal.append(digit)
      index += 1
    }
    guard index > start else { throw unexpected(wanted: "a digit") }
    return index - start
  }

  /// The exponent after the `e`, capped at a size that gives zero or infinity.
  private mutating func exponent() throws(JSONFault) -> Int {
    let isNegative = current == UInt8(ascii: "-")
    if isNegative || current == UInt8(ascii: "+") { index += 1 }
    var magnitude = Decimal()
    _ = try digits(into: &magnitude)
    let size = magnitude.hasOverflowed ? 1_000_000 : Int(min(magnitude.digits, 1_000_000))
    return isNegative ? -size : size
  }

  /// A decimal fraction: digits × 10 ^ exponent.
  private struct Decimal {
    var digits: UInt64 = 0
    var hasOverflowed = false
    var isNegative = false
    var exponent = 0

    @inline(__always)
    mutating func append(_ digit: UInt8) {
      let (product, high) = digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      digits = sum
      hasOverflowed = hasOverflowed || high || carry
    }

    /// The digits with their sign, if they fit 64 bits.
    var integer: Int64? {
      if hasOverflowed { return nil }
      return isNegative ? Int64(exactly: 0 - Int128(digits)) : Int64(exactly: digits)
    }

    /// The nearest Double, if one rounding of two exact operands gives it (Clinger's fast path).
    var exactDouble: Double? {
      guard !hasOverflowed, digits <= 1 << 53, abs(exponent) <= 22 else { return nil }
      let magnitude = Double(digits)
      let scaled =
        exponent < 0 ? magnitude / Self.powersOfTen[-exponent] : magnitude * Self.powersOfTen[exponent]
      return isNegative ? -scaled : scaled
    }

    private static let powersOfTen: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
      1e20,
      1e21, 1e22,
    ]
  }
}
