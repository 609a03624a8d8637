import ByteOutput
import CivilTime
import FoundationEssentials

/// Dates in files, read from and written to bytes without intermediate strings.
package enum DateText {
  /// The instant written as exactly `2026-11-21T08:00:00Z`; `nil` for anything else, which may still be an instant.
  @inline(__always)
  static func utcInstant(_ bytes: UnsafeRawBufferPointer) -> Date? {
    guard bytes.count == 20, bytes[19] == UInt8(ascii: "Z"), bytes[16] == UInt8(ascii: ":"),
      let minutes = minutes(bytes), let second = twoDigits(bytes, 17), second < 60
    else { return nil }
    return Date(timeIntervalSince1970: Double(minutes * 60 + second))
  }

  /// The instant written as exactly `2026-11-21T08:00:00Z` or `2026-11-21T09:00:00+01:00`; `nil` for anything else,
  /// which may still be one.
  static func offsetInstant(_ bytes: UnsafeRawBufferPointer) -> OffsetInstant? {
    guard bytes.count == 20 || bytes.count == 25, bytes[16] == UInt8(ascii: ":"), let minutes = minutes(bytes),
      let second = twoDigits(bytes, 17), second < 60
    else { return nil }
    switch bytes[19] {
    case UInt8(ascii: "Z") where bytes.count == 20:
      return OffsetInstant(secondsSinceEpoch: minutes * 60 + second, offsetMinutes: nil)
    case UInt8(ascii: "+") where bytes.count == 25, UInt8(ascii: "-") where bytes.count == 25:
      guard bytes[22] == UInt8(ascii: ":"), let hours = twoDigits(bytes, 20), hours < 24,
        let rest = twoDigits(bytes, 23), rest < 60
      else { return nil }
      let offset = (hours * 60 + rest) * (bytes[19] == UInt8(ascii: "-") ? -1 : 1)
      return OffsetInstant(secondsSinceEpoch: (minutes - offset) * 60 + second, offsetMinutes: offset)
    default: return nil
    }
  }

  /// The instant of an RFC 3339 text with any offset and any fraction of a second.
  static func instant(_ text: String) -> Date? {
    guard let whole = parseRFC3339(text) else { return nil }
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return whole }
    let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
    let seconds = Int(whole.timeIntervalSince1970)
    // A single rounding of the whole number, so that the text of a Double parses back to the same Double.
    let exact = seconds >= 0 ? Double("\(seconds).\(digits)") : Double("0.\(digits)").map { Double(seconds) + $0 }
    return exact.map { Date(timeIntervalSince1970: $0) }
  }

  /// The wall-clock time written as exactly `2026-11-21T09:00`.
  @inline(__always)
  static func wallTime(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
    guard bytes.count == 16, let minutes = minutes(bytes) else { return nil }
    return WallTime(minutesSinceEpoch: minutes)
  }

  // The minutes since 1970 of the first 16 bytes, `2026-11-21T09:00`.
  private static func minutes(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), let century = twoDigits(bytes, 0), let year = twoDigits(bytes, 2),
      let month = twoDigits(bytes, 5), let day = twoDigits(bytes, 8), let hour = twoDigits(bytes, 11),
      let minute = twoDigits(bytes, 14), hour < 24, minute < 60,
      let date = CivilDate(year: century * 100 + year, month: month, day: day)
    else { return nil }
    return date.daysSinceEpoch * 1_440 + hour * 60 + minute
  }

  @inline(__always)
  private static func twoDigits(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
    let tens = bytes[offset] &- UInt8(ascii: "0")
    let ones = bytes[offset + 1] &- UInt8(ascii: "0")
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }

  /// Appends a wall-clock time as `2026-11-21T09:00`.
  package static func append(_ time: WallTime, to bytes: inout [UInt8]) {
    bytes.append(atMost: WallTime.length) { time.append(to: &$0) }
  }

  /// Appends an instant as `2026-11-21T08:00:00Z`, with its fraction of a second, or rounded up to whole seconds if the
  /// format has no fractions.
  ///
  /// - Throws: ``DateError`` for NaN, infinity, and instants outside the years 0000 to 9999.
  package static func append(_ instant: Date, withFraction: Bool, to bytes: inout [UInt8]) throws(DateError) {
    let exact = instant.timeIntervalSince1970
    let whole = exact.rounded(withFraction ? .down : .up)
    guard exact.isFinite else { throw .notANumber }
    guard -62_167_219_200..<253_402_300_800 ~= whole else { throw .outOfRange(secondsSinceEpoch: exact) }
    let second = floorRemainder(Int(whole), 60)
    append(WallTime(minutesSinceEpoch: floorQuotient(Int(whole), 60)), to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(atMost: 2) { $0.appendPadded(second, 2) }
    let text = withFraction && exact > 0 && exact != whole ? exact.description : ""
    if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")), !text.utf8.contains(UInt8(ascii: "e")) {
      bytes.append(contentsOf: text[point...].utf8)
    }
    bytes.append(UInt8(ascii: "Z"))
  }
}

/// UUIDs in files, in their form of 36 characters.
package enum IdentityText {
  /// The UUID written as exactly 36 bytes, in letters of either case; `nil` for anything else.
  static func uuid(_ bytes: UnsafeRawBufferPointer) -> UUID? {
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

  /// Appends a UUID in lower case.
  package static func append(_ identity: UUID, to bytes: inout [UInt8]) {
    bytes.append(atMost: UUID.length) { identity.append(to: &$0) }
  }

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

/// Reads whole numbers as written in files.
enum NumberText {
  /// The number written as exactly these bytes, without a plus sign and leading zeros; `nil` for anything else.
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
