import CivilTime

extension RecurrenceRule {
  /// The rule of a text in RFC 5545 form: `FREQ=MONTHLY;BYDAY=-1FR`, in upper or lower case, with its parts in any
  /// order, and with or without `RRULE:` before them.
  ///
  /// - Throws: `RecurrenceRuleError` at the first place that is invalid by RFC 5545, section 3.3.10, or that
  ///   `RecurrenceRule` does not support.
  public init(_ text: String) throws(RecurrenceRuleError) {
    var parser = RuleParser(text)
    self = try parser.rule()
  }
}

/// A parser of RFC 5545 rule text, byte by byte.
struct RuleParser {
  private static let partNames = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR",
    "BYMINUTE", "BYSECOND", "BYSETPOS", "WKST",
  ]

  private let bytes: [UInt8]
  private let end: Int
  private var position = 0
  private var parts = RuleParts()
  private var places: [String: Int] = [:]

  init(_ text: String) {
    bytes = Array(text.utf8)
    end = (bytes.lastIndex { !$0.isASCIIWhitespace } ?? -1) + 1
  }

  mutating func rule() throws(RecurrenceRuleError) -> RecurrenceRule {
    while position < end, bytes[position].isASCIIWhitespace { position += 1 }
    if position + 6 <= end, uppercased(position..<position + 6) == "RRULE:" { position += 6 }
    let start = position
    repeat { try part() } while consume(UInt8(ascii: ";"))
    guard let frequency = parts.frequency else {
      throw RecurrenceRuleError("FREQ is missing; a rule starts with FREQ= and \(Self.frequencyNames)", at: start)
    }
    if let fault = parts.fault(with: frequency) {
      throw RecurrenceRuleError(fault.message, at: places[fault.part] ?? start)
    }
    return RecurrenceRule(parts, frequency: frequency)
  }

  private mutating func part() throws(RecurrenceRuleError) {
    let start = position
    while position < end, bytes[position] != UInt8(ascii: "="), bytes[position] != UInt8(ascii: ";") { position += 1 }
    let written = uppercased(start..<position)
    let name = written == "BYWEEKDAY" ? "BYDAY" : written
    guard position < end, bytes[position] == UInt8(ascii: "="), !name.isEmpty else {
      let seen = start == position ? "nothing" : RecurrenceRuleError.quoted(bytes[start..<position])
      throw RecurrenceRuleError("\(seen) where a part like FREQ=DAILY is expected", at: start)
    }
    guard Self.partNames.contains(name) else {
      let hint =
        NearestNames.nearest(to: name, among: Self.partNames, limit: 1).first.map { "did you mean \($0)?" }
        ?? "known are \(Self.partNames.joined(separator: ", "))"
      throw RecurrenceRuleError(
        "unknown part \(RecurrenceRuleError.quoted(bytes[start..<position])); \(hint)", at: start)
    }
    guard places.updateValue(start, forKey: name) == nil else {
      throw RecurrenceRuleError("\(name) is given twice; each part may come once", at: start)
    }
    position += 1
    try value(of: name)
    guard position == end || bytes[position] == UInt8(ascii: ";") else {
      throw RecurrenceRuleError(
        "unexpected \(RecurrenceRuleError.quoted(bytes[position..<endOfValue])) after the value of \(name)",
        at: position)
    }
  }

  private mutating func value(of name: String) throws(RecurrenceRuleError) {
    switch name {
    case "FREQ": parts.frequency = try frequency()
    case "INTERVAL": parts.interval = try number(in: 1...RecurrenceRule.largestNumber, of: name)
    case "COUNT": try setEnd(.count(number(in: 1...RecurrenceRule.largestNumber, of: name)), as: name)
    case "UNTIL": try setEnd(.until(until()), as: name)
    case "BYMONTH": parts.months = try numbers(in: 1...12, of: name)
    case "BYWEEKNO": parts.weekNumbers = try numbers(in: 1...53, of: name, signed: true)
    case "BYYEARDAY": parts.yearDays = try numbers(in: 1...366, of: name, signed: true)
    case "BYMONTHDAY": parts.monthDays = try numbers(in: 1...31, of: name, signed: true)
    case "BYDAY": parts.weekdays = try weekdays()
    case "BYHOUR": parts.hours = try numbers(in: 0...23, of: name)
    case "BYMINUTE": parts.minutes = try numbers(in: 0...59, of: name)
    case "BYSECOND": parts.seconds = try numbers(in: 0...60, of: name).map { min($0, 59) }
    case "BYSETPOS": parts.setPositions = try numbers(in: 1...366, of: name, signed: true)
    default: parts.weekStart = try weekday(of: name)
    }
  }

  private mutating func setEnd(_ end: RecurrenceRule.End, as name: String) throws(RecurrenceRuleError) {
    guard parts.end == .never else {
      throw RecurrenceRuleError("a rule ends by COUNT or by UNTIL, not by both", at: places[name] ?? position)
    }
    parts.end = end
  }
}

// MARK: - Values

extension RuleParser {
  private static let frequencyNames =
    RecurrenceRule.Frequency.allCases.map(\.rawValue).dropLast().joined(separator: ", ") + " or MINUTELY"

  private var endOfValue: Int { bytes[position..<end].firstIndex(of: UInt8(ascii: ";")) ?? end }

  private func uppercased(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(32), as: UTF8.self).uppercased()
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func frequency() throws(RecurrenceRuleError) -> RecurrenceRule.Frequency {
    let written = uppercased(position..<endOfValue)
    guard let frequency = RecurrenceRule.Frequency(rawValue: written) else {
      let message =
        written == "SECONDLY"
        ? "FREQ=SECONDLY is not supported; the finest is MINUTELY"
        : "FREQ cannot be \(RecurrenceRuleError.quoted(bytes[position..<endOfValue])); it is \(Self.frequencyNames)"
      throw RecurrenceRuleError(message, at: position)
    }
    position = endOfValue
    return frequency
  }

  private mutating func numbers(
    in range: ClosedRange<Int>, of name: String, signed: Bool = false
  ) throws(RecurrenceRuleError) -> [Int] {
    var values: [Int] = []
    repeat { values.append(try number(in: range, of: name, signed: signed)) } while consume(UInt8(ascii: ","))
    return values
  }

  private mutating func number(
    in range: ClosedRange<Int>, of name: String, signed: Bool = false
  ) throws(RecurrenceRuleError) -> Int {
    let start = position
    let sign = signed ? self.sign() : 1
    guard let magnitude = digits(), range.contains(magnitude) else {
      let item = bytes[start..<endOfValue].prefix { $0 != UInt8(ascii: ",") }
      let seen = item.isEmpty ? "nothing" : RecurrenceRuleError.quoted(item)
      let bounds = "\(range.lowerBound) to \(range.upperBound)"
      throw RecurrenceRuleError(
        "\(name) has \(seen) where a whole number, \(bounds)\(signed ? " or -1 to -\(range.upperBound)" : ""), is expected",
        at: start)
    }
    return sign * magnitude
  }

  /// -1 for a minus, 1 for a plus or no sign.
  private mutating func sign() -> Int {
    if consume(UInt8(ascii: "-")) { return -1 }
    _ = consume(UInt8(ascii: "+"))
    return 1
  }

  /// The number at the current place, capped; `nil` without a digit.
  private mutating func digits() -> Int? {
    let start = position
    var value = 0
    while position < end, let digit = bytes[position].decimalDigit {
      value = min(value * 10 + digit, RecurrenceRule.largestNumber + 1)
      position += 1
    }
    return position > start ? value : nil
  }

  private mutating func weekdays() throws(RecurrenceRuleError) -> [RecurrenceRule.OrdinalWeekday] {
    var days: [RecurrenceRule.OrdinalWeekday] = []
    repeat {
      let start = position
      let sign = self.sign()
      let magnitude = digits()
      guard magnitude.map((1...53).contains) ?? (position == start) else {
        let item = bytes[start..<endOfValue].prefix { $0 != UInt8(ascii: ",") }
        throw RecurrenceRuleError(
          "BYDAY has \(RecurrenceRuleError.quoted(item)); the number of a day is 1 to 53 or -1 to -53", at: start)
      }
      days.append(.init(ordinal: magnitude.map { $0 * sign }, weekday: try weekday(of: "BYDAY")))
    } while consume(UInt8(ascii: ","))
    return days
  }

  private mutating func weekday(of name: String) throws(RecurrenceRuleError) -> Weekday {
    let stop = min(position + 2, end)
    guard let day = Weekday(code: uppercased(position..<stop)) else {
      let item = bytes[position..<endOfValue].prefix { $0 != UInt8(ascii: ",") }
      let seen = item.isEmpty ? "nothing" : RecurrenceRuleError.quoted(item)
      throw RecurrenceRuleError("\(name) has \(seen) where MO, TU, WE, TH, FR, SA or SU is expected", at: position)
    }
    position = stop
    return day
  }

  private mutating func until() throws(RecurrenceRuleError) -> RecurrenceRule.Until {
    let stop = endOfValue
    let value = try DateTimeText.read(bytes[position..<stop])
    position = stop
    return value
  }
}

extension UInt8 {
  /// The value of an ASCII digit.
  package var decimalDigit: Int? { self >= 0x30 && self <= 0x39 ? Int(self) - 0x30 : nil }

  /// Space, tab, line feed or carriage return.
  package var isASCIIWhitespace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
