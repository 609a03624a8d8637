import CivilTime

/// A parser of DATE and DATE-TIME in RFC 5545 form (sections 3.3.4 and 3.3.5).
package enum DateTimeText {
  package static func read(_ bytes: ArraySlice<UInt8>) throws(RecurrenceRuleError) -> RecurrenceRule.Until {
    let isUTC = bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z")
    let body = isUTC ? bytes.dropLast() : bytes
    let hasTime = body.count == 15 && (body[body.startIndex + 8] | 0x20) == UInt8(ascii: "t")
    guard hasTime || (body.count == 8 && !isUTC),
      let day = number(body.prefix(8)), let time = hasTime ? number(body.suffix(6)) : 0
    else {
      throw RecurrenceRuleError(
        "\(seen(bytes)) where a time like 20271224, 20271224T090000 or 20271224T080000Z is expected",
        at: bytes.startIndex)
    }
    guard let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100) else {
      throw RecurrenceRuleError("there is no day \(seen(bytes.prefix(8)))", at: bytes.startIndex)
    }
    guard hasTime else { return .date(date) }
    let second = time % 100 == 60 ? 59 : time % 100
    guard let moment = CivilDateTime(date: date, hour: time / 10_000, minute: time / 100 % 100, second: second) else {
      throw RecurrenceRuleError("there is no time \(seen(body.suffix(6)))", at: bytes.startIndex + 9)
    }
    return isUTC ? .utc(moment) : .local(moment)
  }

  private static func seen(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.isEmpty ? "nothing" : RecurrenceRuleError.quoted(bytes)
  }

  /// The value of digits; `nil` if there is another byte.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard let digit = byte.decimalDigit else { return nil }
      value = value * 10 + digit
    }
    return value
  }
}

extension CivilDateTime {
  /// The time of a text in RFC 5545 form: `20271224T090000`, or `20271224` for the start of that day.
  ///
  /// - Throws: `RecurrenceRuleError` for any other text, also for a time in UTC.
  public init(_ text: String) throws(RecurrenceRuleError) {
    let bytes = Array(text.utf8)
    switch try DateTimeText.read(bytes[...]) {
    case .date(let date): self.init(midnightOf: date)
    case .local(let time): self = time
    case .utc:
      throw RecurrenceRuleError(
        "a time in UTC where a local time, without Z, is expected", at: bytes.count - 1)
    }
  }
}
