import CivilTime
import FoundationEssentials

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// The longest wait, in seconds: one day. A longer wait is shortened to it.
  static let longest: TimeInterval = 86_400

  /// The instant of a field value, in seconds from `now` or as an HTTP-date: at most ``longest`` ahead, and `now` for a
  /// past instant. `nil` for an invalid value.
  package static func instant(_ field: String, now: Date) -> Date? {
    let bytes = field.utf8.drop { isBlank($0) }
    let text = bytes.prefix(bytes.count - bytes.reversed().prefix { isBlank($0) }.count)
    guard !text.isEmpty, text.count <= 64 else { return nil }
    if text.allSatisfy({ (0x30...0x39).contains($0) }) {
      // Ten digits are more than a day, and could overflow.
      let seconds = text.count > 9 ? longest : min(TimeInterval(Int(String(text) ?? "") ?? 0), longest)
      return now.addingTimeInterval(seconds)
    }
    guard let date = httpDate(Array(text), now: now) else { return nil }
    return min(max(date, now), now.addingTimeInterval(longest))
  }

  /// The instant of an HTTP-date (RFC 9110, section 5.6.7) in any of its three forms: `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
  static func httpDate(_ bytes: [UInt8], now: Date) -> Date? {
    let words = bytes.split { isBlank($0) || $0 == UInt8(ascii: ",") }.map { Array($0) }
    switch words.count {
    case 6:
      guard words[5].elementsEqual("GMT".utf8), let year = number(words[3], digits: 4) else { return nil }
      return instant(day: words[1], month: words[2], year: year, time: words[4])
    case 5:
      guard let year = number(words[4], digits: 4) else { return nil }
      return instant(day: words[2], month: words[1], year: year, time: words[3])
    case 4:
      let date = words[1].split(separator: UInt8(ascii: "-")).map { Array($0) }
      guard words[3].elementsEqual("GMT".utf8), date.count == 3, let short = number(date[2], digits: 2)
      else { return nil }
      return instant(day: date[0], month: date[1], year: century(of: short, now: now) + short, time: words[2])
    default: return nil
    }
  }

  // A two-digit year is the latest with these digits that is at most 50 years ahead.
  private static func century(of short: Int, now: Date) -> Int {
    let days = (now.timeIntervalSince1970 / 86_400).rounded(.down)
    let year = CivilDate(daysSinceEpoch: Int(min(max(days, -1e6), 3e6))).year
    return (year + 50 - short) / 100 * 100
  }

  private static func instant(day: [UInt8], month: [UInt8], year: Int, time: [UInt8]) -> Date? {
    let clock = time.split(separator: UInt8(ascii: ":")).map { number(Array($0), digits: 2) }
    guard (1...2).contains(day.count), let day = number(day, digits: day.count),
      let month = (1...12).first(where: { WhenWords.shortName(ofMonth: $0).utf8.elementsEqual(month) }),
      let date = CivilDate(year: year, month: month, day: day), clock.count == 3, let hour = clock[0],
      let minute = clock[1], let second = clock[2], hour < 24, minute < 60, second <= 60
    else { return nil }
    return Date(timeIntervalSince1970: Double(date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second))
  }

  private static func number(_ text: [UInt8], digits: Int) -> Int? {
    guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
