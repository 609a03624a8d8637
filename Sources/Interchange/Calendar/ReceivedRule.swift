/// The RRULE of a to-do as another program wrote it, without what RFC 5545 says to leave out or can only be a slip.
struct ReceivedRule {
  /// The rule; `nil` where there is nothing in it.
  let text: String?
  /// What was left out, in a few words each.
  private(set) var leftOut: [String] = []

  /// A rule that counts from a day, with `startsOnDay`, or from a time.
  ///
  /// A part of a day has no meaning then and MUST be ignored (section 3.3.10).
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
