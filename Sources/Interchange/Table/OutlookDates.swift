import CivilTime
import FoundationEssentials

/// Dates in the form of a region: `10/15/2026`, `15/10/2026`, `15.10.2026` or `2026-10-15`.
struct OutlookDates {
  /// The parts of a date with slashes, in order.
  enum Order: String, CustomStringConvertible {
    case monthFirst = "month/day/year"
    case dayFirst = "day/month/year"

    var description: String { rawValue }
  }

  /// The order of the parts in dates with slashes.
  let order: Order

  /// The order that the first unambiguous date of a sample has; months are first if none is unambiguous.
  init(sample: ArraySlice<UInt8>) {
    let dates = sample.split { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: "/") }.lazy
      .map { String(decoding: $0, as: UTF8.self).split(separator: "/").compactMap { Int($0) } }
    let telling = dates.first { $0.count == 3 && 1...12 ~= min($0[0], $0[1]) && 13...31 ~= max($0[0], $0[1]) }
    order = telling.map { $0[0] > 12 ? .dayFirst : .monthFirst } ?? .monthFirst
  }

  /// The day of a date; `nil` for any other text.
  func date(_ text: String) -> CivilDate? {
    if let date = CivilDate(parsing: text) { return date }
    for (separator, isDayFirst) in [("/", order == .dayFirst), (".", true)] {
      let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.count == 3, numbers[2] >= 1_000 else { continue }
      return CivilDate(year: numbers[2], month: numbers[isDayFirst ? 1 : 0], day: numbers[isDayFirst ? 0 : 1])
    }
    return nil
  }

  /// The time of a date and of a clock such as `9:30:00 AM` or `14:30`; `nil` for any other texts.
  func time(date text: String, clock: String?) -> WallTime? {
    let words = (clock ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    let numbers = (words.first ?? "").split(separator: ":").map { Int($0) ?? -1 }
    guard let date = date(text), numbers.count == 2 || numbers.count == 3, !numbers.contains(-1) else { return nil }
    var hour = numbers[0]
    if words.count > 1 {
      let half = words[1].filter { $0 != "." }
      guard words.count == 2, 0...12 ~= hour, let start = ["am": 0, "pm": 12][half] else { return nil }
      hour = hour % 12 + start
    }
    return TimeOfDay(hour: hour, minute: numbers[1]).map { WallTime(date: date, time: $0) }
  }
}
