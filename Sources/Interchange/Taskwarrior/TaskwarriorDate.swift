import CivilTime
import FoundationEssentials

/// Dates in the forms of all versions of Taskwarrior.
enum TaskwarriorDate {
  /// The instant of `20261224T173000Z`, of the same without `Z` or time in `zone`, of ISO 8601 with its dashes and
  /// colons, or of seconds since 1970.
  static func instant(_ text: String, in zone: Zone) -> Date? {
    if let date = parseRFC3339(text) { return date }
    if (9...12).contains(text.utf8.count), let seconds = Int64(text), seconds >= 0 {
      return Date(timeIntervalSince1970: Double(seconds))
    }
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    let isUTC = digits.last == UInt8(ascii: "Z")
    let parts = digits.dropLast(isUTC ? 1 : 0).split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let date = parts.first.flatMap(civilDate) else { return nil }
    guard let clock = parts.count == 2 ? secondOfDay(parts[1]) : 0 else { return nil }
    let seconds = Double(date.daysSinceEpoch * 86_400 + clock)
    guard !isUTC else { return Date(timeIntervalSince1970: seconds) }
    let wall = WallTime(minutesSinceEpoch: date.daysSinceEpoch * 1_440 + clock / 60)
    return zone.instant(of: wall).instant.addingTimeInterval(Double(clock % 60))
  }

  private static func civilDate(_ digits: ArraySlice<UInt8>) -> CivilDate? {
    guard digits.count == 8, let number = number(digits) else { return nil }
    return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  private static func secondOfDay(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count == 6 || digits.count == 4, let number = number(digits) else { return nil }
    let clock = digits.count == 6 ? number : number * 100
    let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
