import CivilTime

extension RecurrenceRule: CustomStringConvertible {
  /// The rule in RFC 5545 form, with parts from coarse to fine, without defaults. Parsing it results in an equal rule.
  public var description: String {
    var parts = ["FREQ=" + frequency.rawValue]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    switch end {
    case .never: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .until(let until): parts.append("UNTIL=\(until)")
    }
    let lists = [
      ("BYMONTH", months), ("BYWEEKNO", weekNumbers), ("BYYEARDAY", yearDays), ("BYMONTHDAY", monthDays),
    ]
    for (name, values) in lists where !values.isEmpty { parts.append(RecurrenceRule.part(name, values)) }
    if !weekdays.isEmpty { parts.append(RecurrenceRule.part("BYDAY", weekdays)) }
    let times = [("BYHOUR", hours), ("BYMINUTE", minutes), ("BYSECOND", seconds), ("BYSETPOS", setPositions)]
    for (name, values) in times where !values.isEmpty { parts.append(RecurrenceRule.part(name, values)) }
    if weekStart != .monday { parts.append("WKST=" + weekStart.code) }
    return parts.joined(separator: ";")
  }

  private static func part(_ name: String, _ values: [some CustomStringConvertible]) -> String {
    name + "=" + values.map(\.description).joined(separator: ",")
  }
}

extension RecurrenceRule.Until: CustomStringConvertible {
  /// The value of UNTIL in RFC 5545 form: `20271224`, `20271224T090000` or `20271224T080000Z`.
  public var description: String {
    switch self {
    case .date(let date): date.basicText
    case .local(let time): time.description
    case .utc(let time): time.description + "Z"
    }
  }
}

extension RecurrenceRule.OrdinalWeekday: CustomStringConvertible {
  /// The day in RFC 5545 form: `FR`, `2FR` or `-1FR`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.code }
}

extension Weekday {
  /// The two letters of RFC 5545, `MO` to `SU`.
  var code: String { Weekday.codes[rawValue - 1] }

  /// The day with these two letters in upper case.
  init?(code: String) {
    guard let index = Weekday.codes.firstIndex(of: code) else { return nil }
    self = Weekday.allCases[index]
  }

  private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
}
