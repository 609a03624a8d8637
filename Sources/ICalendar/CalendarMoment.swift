import CivilTime
import FoundationEssentials

/// A value of type DATE or DATE-TIME (RFC 5545, sections 3.3.4 and 3.3.5).
package enum CalendarMoment: Hashable {
  case date(CivilDate)
  /// A time on the wall clock, with the zone of a TZID or floating.
  case local(CivilDateTime)
  case utc(CivilDateTime)

  /// The moment of a value such as `20261121`, `20261121T090000` or `20261121T080000Z`; `nil` for any other text and
  /// for days and times that do not exist. Second 60 is read as 59, as section 3.3.12 says for systems without leap
  /// seconds.
  package init?(_ value: some StringProtocol) {
    var bytes = Array(value.utf8.prefix(17))[...]
    let isUTC = bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z")
    if isUTC { bytes = bytes.dropLast() }
    guard bytes.count == 15 || (bytes.count == 8 && !isUTC), let day = Self.number(bytes.prefix(8)),
      let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100)
    else { return nil }
    guard bytes.count == 15 else {
      self = .date(date)
      return
    }
    guard bytes[8] | 0x20 == UInt8(ascii: "t"), let time = Self.number(bytes.suffix(6)),
      let moment = CivilDateTime(
        date: date, hour: time / 10_000, minute: time / 100 % 100, second: time % 100 == 60 ? 59 : time % 100)
    else { return nil }
    self = isUTC ? .utc(moment) : .local(moment)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

extension Date {
  /// The instant of a time in UTC.
  package init(utc time: CivilDateTime) { self.init(timeIntervalSince1970: Double(time.secondsSinceEpoch)) }

  /// The instant of a value in UTC, from 1970 to 9999; `nil` for any other value.
  package init?(utcValue: String) {
    guard case .utc(let time)? = CalendarMoment(utcValue), (1970...9999).contains(time.date.year) else { return nil }
    self.init(utc: time)
  }

  /// The instant as a value in UTC: `20261121T080000Z`.
  package var utcValue: String { Zone.utc.rfc3339(self).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }
}
