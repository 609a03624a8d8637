/// Whole numbers as files write them.
enum NumberText {
  /// The number that exactly these bytes write, without a plus sign and without leading zeros; nil for anything else.
  @inline(__always)
  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = bytes.count - (isNegative ? 1 : 0)
    guard 1...19 ~= digits else { return nil }
    var magnitude: UInt64 = 0
    for index in (isNegative ? 1 : 0)..<bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      magnitude = magnitude &* 10 &+ UInt64(digit)
    }
    guard digits == 1 || bytes[bytes.count - digits] != UInt8(ascii: "0") else { return nil }
    return isNegative ? Int64(exactly: 0 - Int128(magnitude)) : Int64(exactly: magnitude)
  }
}
