/// The RRULE of a to-do from another program, without parts that RFC 5545 says to ignore, and without obvious slips.
struct ReceivedRule {
  /// The rule; `nil` for an empty one.
  let text: String?
  /// The parts left out, in a few words each.
  private(set) var leftOut: [String] = []

  /// The rule with this value. With `startsOnDay`, DTSTART is a date, and parts of a day MUST be ignored (section
  /// 3.3.10).
  init(_ value: String, startsOnDay: Bool) {
    var parts = value.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    if parts.count > 1, Self.isBlank(parts.last) {
      while parts.count > 1, Self.isBlank(parts.last) { parts.removeLast() }
      if !Self.isBlank(parts.first) { leftOut.append("semicolon at the end of an RRULE") }
    }
    guard parts.count > 1 || !Self.isBlank(parts.first) else {
      text = nil
      leftOut.append("empty RRULE")
      return
    }
    if startsOnDay {
      let kept = parts.filter { !Self.isPartOfDay($0) }
      if kept.count < parts.count { leftOut.append("time of day in the RRULE of a day") }
      parts = kept[...]
    }
    text = parts.map { String(Substring($0)) }.joined(separator: ";")
  }

  private static func isBlank(_ part: Substring.UTF8View?) -> Bool {
    part?.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? true
  }

  private static func isPartOfDay(_ part: Substring.UTF8View) -> Bool {
    ["BYHOUR", "BYMINUTE", "BYSECOND"].contains(String(Substring(part.prefix { $0 != UInt8(ascii: "=") })).uppercased())
  }
}
