import CivilTime

@testable import RecurrenceRules

extension RecurrenceSet {
  /// The set as iCalendar properties, one a line: DTSTART, RRULE, RDATE, EXDATE; parsing it gives an equal set.
  var description: String {
    var lines = ["DTSTART:\(start)"]
    for rule in rules { lines.append("RRULE:\(rule)") }
    if !dates.isEmpty { lines.append("RDATE:" + dates.map(\.description).joined(separator: ",")) }
    if !exceptions.isEmpty { lines.append("EXDATE:" + exceptions.map(\.description).joined(separator: ",")) }
    return lines.joined(separator: "\n")
  }

  /// The set of iCalendar properties: one DTSTART and any number of RRULE, RDATE and EXDATE, separated by line ends or
  /// spaces, in any case and order (RFC 5545, section 3.8.5).
  ///
  /// Lines must be unfolded. Dates are on the wall clock; a date without time means its midnight. Zones (TZID, or a
  /// time ending in Z) are refused, since only the caller knows them; so are periods and EXRULE, which RFC 5545 has
  /// dropped.
  ///
  /// - Throws: `RecurrenceRuleError` at the first place that is not understood.
  init(_ text: String) throws(RecurrenceRuleError) {
    var parser = SetParser(bytes: Array(text.utf8))
    self = try parser.set()
  }
}

/// A reader of iCalendar properties that make a recurrence set.
private struct SetParser {
  let bytes: [UInt8]
  private var start: CivilDateTime?
  private var rules: [RecurrenceRule] = []
  private var dates: [CivilDateTime] = []
  private var exceptions: [CivilDateTime] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func set() throws(RecurrenceRuleError) -> RecurrenceSet {
    for property in bytes.split(whereSeparator: \.isASCIIWhitespace) { try read(property) }
    guard let start else { throw RecurrenceRuleError("DTSTART is missing", at: bytes.count) }
    return RecurrenceSet(start: start, rules: rules, dates: dates, exceptions: exceptions)
  }

  private mutating func read(_ property: ArraySlice<UInt8>) throws(RecurrenceRuleError) {
    guard let colon = property.firstIndex(of: UInt8(ascii: ":")) else {
      throw RecurrenceRuleError(
        "\(RecurrenceRuleError.quoted(property)) where a property like RRULE:FREQ=DAILY is expected",
        at: property.startIndex)
    }
    let fields = property[..<colon].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    for parameter in fields.dropFirst() where !["VALUE=DATE", "VALUE=DATE-TIME"].contains(uppercased(parameter)) {
      throw RecurrenceRuleError(
        "\(RecurrenceRuleError.quoted(parameter)) is not supported; times are on the wall clock, without zone or period",
        at: parameter.startIndex)
    }
    let value = property[(colon + 1)...]
    switch uppercased(fields[0]) {
    case "RRULE": rules.append(try rule(value))
    case "RDATE": dates += try moments(value)
    case "EXDATE": exceptions += try moments(value)
    case "DTSTART":
      guard start == nil else { throw RecurrenceRuleError("DTSTART is given twice", at: property.startIndex) }
      start = try moment(value)
    case "EXRULE":
      throw RecurrenceRuleError("EXRULE is not supported, RFC 5545 has dropped it; use EXDATE", at: property.startIndex)
    default:
      throw RecurrenceRuleError(
        "unknown property \(RecurrenceRuleError.quoted(fields[0])); known are DTSTART, RRULE, RDATE and EXDATE",
        at: property.startIndex)
    }
  }

  private func uppercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(32), as: UTF8.self).uppercased()
  }

  private func rule(_ value: ArraySlice<UInt8>) throws(RecurrenceRuleError) -> RecurrenceRule {
    do { return try RecurrenceRule(String(decoding: value, as: UTF8.self)) } catch {
      throw RecurrenceRuleError(error.message, at: value.startIndex + error.position)
    }
  }

  private func moments(_ value: ArraySlice<UInt8>) throws(RecurrenceRuleError) -> [CivilDateTime] {
    var moments: [CivilDateTime] = []
    for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      moments.append(try moment(item))
    }
    return moments
  }

  private func moment(_ value: ArraySlice<UInt8>) throws(RecurrenceRuleError) -> CivilDateTime {
    do { return try CivilDateTime(String(decoding: value, as: UTF8.self)) } catch {
      throw RecurrenceRuleError(error.message, at: value.startIndex + error.position)
    }
  }
}
