import FoundationEssentials

extension XMLPropertyListReader {
  /// The number, date or data of an element whose opening tag has been read.
  mutating func scalar(of tag: Tag, from start: Int) throws(PropertyListFault) -> PropertyList {
    let content = try text(of: tag)
    let value: PropertyList? =
      switch tag.element {
      case .integer: Self.integer(content)
      case .real: Double(Self.trimmed(content)).map(PropertyList.real)
      case .date: Self.date(content).map(PropertyList.date)
      default: Self.base64(content).map(PropertyList.data)
      }
    guard let value else { throw PropertyListFault(offset: start, message: Self.expectation(of: tag.element)) }
    return value
  }

  private static func expectation(of element: Element) -> String {
    switch element {
    case .integer: "an <integer> must be a whole number within 64 bits, such as 12 or -3"
    case .real: "a <real> must be a number, such as 1.5"
    case .date: "a <date> must look like 2026-11-21T08:00:00Z and exist in the calendar"
    default: "this <data> is not Base64"
    }
  }

  private static func trimmed(_ text: String) -> Substring {
    if let first = text.utf8.first, let last = text.utf8.last, 0x21..<0x80 ~= first, 0x21..<0x80 ~= last {
      return text[...]
    }
    let start = text.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }

  private static func integer(_ text: String) -> PropertyList? {
    let digits = trimmed(text)
    for (prefix, sign) in [("0x", ""), ("0X", ""), ("-0x", "-"), ("-0X", "-")] where digits.hasPrefix(prefix) {
      let magnitude = digits.dropFirst(prefix.count)
      return magnitude.first?.isHexDigit == true ? integer(sign + magnitude, radix: 16) : nil
    }
    return integer(String(digits), radix: 10)
  }

  private static func integer(_ digits: String, radix: Int) -> PropertyList? {
    if let number = Int64(digits, radix: radix) { return .integer(number) }
    return UInt64(digits, radix: radix).map(PropertyList.largeInteger)
  }

  /// A date `YYYY-MM-DDTHH:MM:SSZ`, always in UTC; years may have a sign or more digits.
  private static func date(_ text: String) -> Date? {
    var text = String(trimmed(text))
    return text.withUTF8 { bytes in
      var rest = bytes[...]
      let isNegative = rest.first == UInt8(ascii: "-")
      if isNegative { rest.removeFirst() }
      guard let digits = rest.firstIndex(of: UInt8(ascii: "-")).map({ $0 - rest.startIndex }), 4...9 ~= digits,
        let year = number(of: digits, in: &rest), let month = number(after: "-", in: &rest),
        let day = number(after: "-", in: &rest), let hour = number(after: "T", in: &rest),
        let minute = number(after: ":", in: &rest), let second = number(after: ":", in: &rest),
        rest.count == 1, rest.first == UInt8(ascii: "Z"), hour < 24, minute < 60, second < 60,
        let days = daysSince2001(year: isNegative ? -year : year, month: month, day: day)
      else { return nil }
      return Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }
  }

  private typealias Digits = Slice<UnsafeBufferPointer<UInt8>>

  private static func number(after separator: Unicode.Scalar, in text: inout Digits) -> Int? {
    guard text.first == UInt8(ascii: separator) else { return nil }
    text.removeFirst()
    return number(of: 2, in: &text)
  }

  private static func number(of digits: Int, in text: inout Digits) -> Int? {
    guard text.count >= digits else { return nil }
    var number = 0
    for byte in text.prefix(digits) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    text.removeFirst(digits)
    return number
  }

  /// The days from 1 January 2001 to a date of the proleptic Gregorian calendar, nil when there is no such date.
  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int? {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let length =
      switch month {
      case 2: isLeap ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    guard 1...12 ~= month, 1...length ~= day else { return nil }
    // Years are counted from 1 March, so that a leap day is at their end.
    let past = month > 2 ? year : year - 1
    let leapDays = floorDivision(past, 4) - floorDivision(past, 100) + floorDivision(past, 400)
    let daysBefore = (153 * ((month + 9) % 12) + 2) / 5
    let daysTo2001 = 730_791
    return past * 365 + leapDays + daysBefore + day - 1 - daysTo2001
  }

  private static func floorDivision(_ number: Int, _ divisor: Int) -> Int {
    (number - (number % divisor + divisor) % divisor) / divisor
  }

  /// The bytes of Base64 (RFC 4648 section 4), ignoring white space.
  private static func base64(_ text: String) -> [UInt8]? {
    let characters = text.utf8.filter { !XMLScanning.isWhitespace($0) }
    guard characters.count.isMultiple(of: 4), let data = Data(base64Encoded: Data(characters)) else { return nil }
    return Array(data)
  }
}
