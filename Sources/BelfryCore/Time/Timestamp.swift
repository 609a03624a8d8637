import Foundation
import RecurrenceRules

/// The fields of a date and time in digits, as RFC 3339 section 5.6 writes them, before anyone asked whether the
/// calendar and the clock have them.
struct Timestamp: Hashable {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  /// The second, or `nil` where none is written; fractions are left out.
  let second: Int?
  /// Seconds east of UTC, or `nil` where none is written.
  let offset: Int?

  /// The fields of `2026-12-24T18:30:00+01:00`; a space or `t` may stand for the `T`, `z` for `Z`, and both the seconds
  /// and the offset may be missing. `nil` for text of any other shape.
  init?(_ text: some StringProtocol) {
    guard (16...64).contains(text.utf8.count) else { return nil }
    var rest = Array(text.utf8)[...]
    func number(_ width: Int, after separators: String = "") -> Int? {
      if !separators.isEmpty {
        guard let first = rest.first, separators.utf8.contains(first) else { return nil }
        rest = rest.dropFirst()
      }
      let digits = rest.prefix(width)
      rest = rest.dropFirst(width)
      return digits.count == width ? decimal(digits) : nil
    }
    guard let year = number(4), let month = number(2, after: "-"), let day = number(2, after: "-"),
      let hour = number(2, after: "Tt "), let minute = number(2, after: ":")
    else { return nil }
    (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)

    var second: Int?
    if rest.first == UInt8(ascii: ":") {
      second = number(2, after: ":")
      guard second != nil else { return nil }
      if rest.first == UInt8(ascii: ".") {
        let fraction = rest.dropFirst().prefix(while: isDigit)
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count + 1)
      }
    }
    self.second = second

    guard let sign = rest.first else {
      offset = nil
      return
    }
    if sign | 0x20 == UInt8(ascii: "z") {
      rest = rest.dropFirst()
      offset = 0
    } else {
      guard let hours = number(2, after: "+-"), let minutes = number(2, after: ":"), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
  }

  /// The day, or `nil` where the calendar has no such day.
  var date: CivilDate? { CivilDate(year: year, month: month, day: day) }

  /// The time of day, or `nil` where the clock has no such time. A leap second has the last second of UTC's day.
  var time: TimeOfDay? {
    (second ?? 0) < 60 || isLeapSecond ? TimeOfDay(hour: hour, minute: minute) : nil
  }

  private var isLeapSecond: Bool {
    second == 60 && floorModulo(hour * 60 + minute - (offset ?? 0) / 60, 1_440) == 1_439
  }

  /// The instant in whole seconds, where there are such a day, time and offset. A leap second, which the machine's
  /// clock does not count, becomes the second before it.
  var instant: Date? {
    guard let date, let time, let offset else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + time.minutesSinceMidnight * 60 + min(second ?? 0, 59) - offset
    return Date(timeIntervalSince1970: Double(seconds))
  }
}
