import BelfryCore
import Foundation
import RecurrenceRules

/// Dates and identities as files write them, read from bytes and written to bytes without a detour.
package enum DateText {
  /// The instant that exactly `2026-11-21T08:00:00Z` names; nil for anything else, which may still be an instant.
  @inline(__always)
  package static func utcInstant(_ bytes: UnsafeRawBufferPointer) -> Date? {
    guard bytes.count == 20, bytes[19] == UInt8(ascii: "Z"), bytes[16] == UInt8(ascii: ":"),
      let minutes = minutes(bytes), let second = twoDigits(bytes, 17), second < 60
    else { return nil }
    return Date(timeIntervalSince1970: Double(minutes * 60 + second))
  }

  /// The instant of an RFC 3339 text with any offset and any fraction of a second.
  package static func instant(_ text: String) -> Date? {
    guard let whole = parseRFC3339(text) else { return nil }
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return whole }
    let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
    let seconds = Int(whole.timeIntervalSince1970)
    // One rounding of the whole number, so that the text of a Double reads back as that Double.
    let exact = seconds >= 0 ? Double("\(seconds).\(digits)") : Double("0.\(digits)").map { Double(seconds) + $0 }
    return exact.map { Date(timeIntervalSince1970: $0) }
  }

  /// The wall-clock time that exactly `2026-11-21T09:00` names.
  @inline(__always)
  package static func wallTime(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
    guard bytes.count == 16, let minutes = minutes(bytes) else { return nil }
    return WallTime(minutesSinceEpoch: minutes)
  }

  // Minutes since 1970 of the first 16 bytes, `2026-11-21T09:00`.
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
    append(minutes: time.minutesSinceEpoch, to: &bytes)
  }

  /// Appends an instant as `2026-11-21T08:00:00Z`, with a fraction where it has one and the format takes it; the next
  /// whole second where the format does not.
  ///
  /// - Throws: ``DateError`` for one that is not a number or beyond the years 0000 to 9999.
  package static func append(_ instant: Date, withFraction: Bool, to bytes: inout [UInt8]) throws(DateError) {
    let exact = instant.timeIntervalSince1970
    let whole = exact.rounded(withFraction ? .down : .up)
    guard exact.isFinite else { throw .notANumber }
    guard -62_167_219_200..<253_402_300_800 ~= whole else { throw .outOfRange(secondsSinceEpoch: exact) }
    let seconds = Int(whole)
    let second = ((seconds % 60) + 60) % 60
    append(minutes: (seconds - second) / 60, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(second, to: &bytes)
    let text = withFraction && exact > 0 ? exact.description : ""
    if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")), !text.hasSuffix(".0"),
      !text.utf8.contains(UInt8(ascii: "e"))
    {
      bytes.append(contentsOf: text[point...].utf8)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  private static func append(minutes: Int, to bytes: inout [UInt8]) {
    let minuteOfDay = ((minutes % 1_440) + 1_440) % 1_440
    let date = CivilDate(daysSinceEpoch: (minutes - minuteOfDay) / 1_440)
    append(date.year / 100, to: &bytes)
    append(date.year % 100, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(date.month, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(date.day, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(minuteOfDay / 60, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(minuteOfDay % 60, to: &bytes)
  }

  /// Appends a number from 0 to 99 in two digits.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
    bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
  }
}
