import FoundationEssentials

/// The fields of a numeric date and time (RFC 3339 section 5.6), not yet checked against calendar and clock.
package struct Timestamp: Hashable {
  package let year: Int
  package let month: Int
  package let day: Int
  let hour: Int
  let minute: Int
  /// The second; `nil` if the text has none. Fractions are left out.
  let second: Int?
  /// Seconds east of UTC; `nil` if the text has no offset.
  let offset: Int?

  /// The fields of `2026-12-24T18:30:00+01:00`, with a space or `t` allowed for the `T` and `z` for `Z`. Seconds and
  /// offset may be missing. `nil` for text of any other form.
  package init?(_ text: some StringProtocol) {
    guard (16...64).contains(text.utf8.count) else { return nil }
    let bytes = Array(text.utf8)
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
      bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
      let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]), let day = decimal(bytes[8..<10]),
      let hour = decimal(bytes[11..<13]), let minute = decimal(bytes[14..<16])
    else { return nil }
    (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)

    var rest = bytes[16...]
    second = rest.first == UInt8(ascii: ":") ? decimal(rest.dropFirst().prefix(2)) : nil
    if second != nil {
      rest = rest.dropFirst(3)
      if rest.first == UInt8(ascii: ".") {
        let fraction = rest.dropFirst().prefix(while: isDigit)
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count + 1)
      }
    }
    if rest.isEmpty {
      offset = nil
    } else {
      guard let offset = Timestamp.offset(rest) else { return nil }
      self.offset = offset
    }
  }

  /// The seconds east of UTC of `Z` or `+01:00`.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
    guard let sign = text.first else { return nil }
    if sign | 0x20 == UInt8(ascii: "z"), text.count == 1 { return 0 }
    let digits = text.dropFirst()
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 5,
      digits[digits.startIndex + 2] == UInt8(ascii: ":"),
      let hours = decimal(digits.prefix(2)), let minutes = decimal(digits.suffix(2)), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// The day; `nil` if the calendar has no such day.
  var date: CivilDate? { CivilDate(year: year, month: month, day: day) }

  /// The time of day; `nil` if the clock has no such time. A leap second is valid only in the last minute of UTC's day.
  package var time: TimeOfDay? {
    (second ?? 0) < 60 || isLeapSecond ? TimeOfDay(hour: hour, minute: minute) : nil
  }

  private var isLeapSecond: Bool {
    second == 60 && floorRemainder(hour * 60 + minute - (offset ?? 0) / 60, 1_440) == 1_439
  }

  /// The instant in whole seconds; `nil` if the day or time does not exist or the offset is missing. A leap second,
  /// which the machine's clock does not count, becomes the second before it.
  package var instant: Date? {
    guard let date, let time, let offset else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + time.minutesSinceMidnight * 60 + min(second ?? 0, 59) - offset
    return Date(timeIntervalSince1970: Double(seconds))
  }
}
