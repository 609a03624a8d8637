import CivilTime
import ICalendar
import RecurrenceRules

/// The rules of a time zone that a VTIMEZONE states (RFC 5545, section 3.6.5).
struct ZoneDefinition {
  private static let mostObservances = 200
  private static let mostRules = 40
  private static let mostDates = 1_000
  private static let mostChanges = 1_000

  private let observances: [Observance]

  /// The rules of a VTIMEZONE; `nil` without any, or where a part of them cannot be read or there are too many.
  init?(_ component: CalendarComponent) {
    let parts = component.components.filter { $0.name == "STANDARD" || $0.name == "DAYLIGHT" }
    guard 1...Self.mostObservances ~= parts.count else { return nil }
    observances = parts.compactMap(Observance.init)
    let rules = observances.reduce(0) { $0 + $1.onsets.rules.count }
    let dates = observances.reduce(0) { $0 + $1.onsets.dates.count }
    guard observances.count == parts.count, rules <= Self.mostRules, dates <= Self.mostDates else { return nil }
  }

  /// Seconds east of UTC at a time on the zone's own clock: those of the latest onset until then, or those before the
  /// first one.
  func offset(onClock time: CivilDateTime) -> Int {
    let latest = observances.compactMap { observance in
      observance.onsets.last(atOrBefore: time).map { (onset: $0, offset: observance.to) }
    }.max { $0.onset < $1.onset }
    return latest?.offset ?? observances.min { $0.onsets.start < $1.onsets.start }?.from ?? 0
  }

  /// The offsets from the year before a time, or from the first onset where that is later, to the tenth year after it;
  /// `nil` for rules that change too often.
  func offsets(around time: CivilDateTime) -> OffsetHistory? {
    let yearBefore = CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch - Self.year)
    let beforeOnset = observances.map(\.onsets.start).min().map {
      CivilDateTime(secondsSinceEpoch: $0.secondsSinceEpoch - 1)
    }
    let start = min(time, max(yearBefore, beforeOnset ?? yearBefore))
    let first = offset(onClock: start)
    let lowest = start.secondsSinceEpoch - first
    let span = lowest...max(lowest, time.secondsSinceEpoch - first + 10 * Self.year)
    var changes: [OffsetChange] = []
    for observance in observances {
      changes += observance.changes(over: span).prefix(Self.mostChanges)
      guard changes.count < Self.mostChanges else { return nil }
    }
    return OffsetHistory(over: span, first: first, changes: changes.sorted { $0.at < $1.at })
  }

  private static let year = 366 * 86_400
}

/// The changes of the clocks from one offset to another: a STANDARD or DAYLIGHT.
private struct Observance {
  /// The times of the changes, on the clock before each.
  let onsets: RecurrenceSet
  /// Seconds east of UTC before and after.
  let from: Int
  let to: Int

  /// The changes of a component; `nil` where it cannot be read.
  init?(_ component: CalendarComponent) {
    guard let from = component.all("TZOFFSETFROM").first.flatMap({ Self.offset($0.value) }),
      let to = component.all("TZOFFSETTO").first.flatMap({ Self.offset($0.value) }),
      let start = component.all("DTSTART").first.flatMap({ Self.time($0.value, offset: from) })
    else { return nil }
    (self.from, self.to) = (from, to)
    var rules: [RecurrenceRule] = []
    for property in component.all("RRULE") {
      guard let rule = try? RecurrenceRule(property.value), Self.isSeldom(rule) else { return nil }
      rules.append(Self.onClock(rule, offset: from))
    }
    var dates = [start]
    for value in component.all("RDATE").flatMap({ $0.value.split(separator: ",") }) {
      guard let date = Self.time(value, offset: from) else { return nil }
      dates.append(date)
    }
    onsets = RecurrenceSet(start: start, rules: rules, dates: dates)
  }

  /// The changes after the start of a span through its end.
  func changes(over span: ClosedRange<Int>) -> some Sequence<OffsetChange> {
    onsets.occurrences(
      from: CivilDateTime(secondsSinceEpoch: span.lowerBound + 1 + from),
      through: CivilDateTime(secondsSinceEpoch: span.upperBound + from)
    ).lazy.map { OffsetChange(at: $0.secondsSinceEpoch - from, offset: to) }
  }

  // No clock changes more than once a day; a rule that does would take long to follow.
  private static func isSeldom(_ rule: RecurrenceRule) -> Bool {
    if case .count(let count) = rule.end, count > 1_000 { return false }
    return (rule.frequency == .yearly || rule.frequency == .monthly)
      && [rule.hours, rule.minutes, rule.seconds].allSatisfy { $0.count < 2 }
  }

  // UNTIL is in UTC here (section 3.6.5).
  private static func onClock(_ rule: RecurrenceRule, offset: Int) -> RecurrenceRule {
    guard case .until(.utc(let time)) = rule.end else { return rule }
    return rule.ending(.until(.local(CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + offset)))) ?? rule
  }

  private static func time(_ value: some StringProtocol, offset: Int) -> CivilDateTime? {
    switch CalendarMoment(value) {
    case .local(let time): time
    case .utc(let time): CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + offset)
    case .date(let date): CivilDateTime(midnightOf: date)
    case nil: nil
    }
  }

  /// Seconds east of UTC of a value such as `+0100` or `-003045` (section 3.3.14).
  private static func offset(_ value: String) -> Int? {
    let digits = value.utf8.dropFirst()
    guard let sign = value.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      digits.count == 4 || digits.count == 6, digits.allSatisfy({ 48...57 ~= $0 }),
      let number = Int(String(Substring(digits)))
    else { return nil }
    let full = digits.count == 4 ? number * 100 : number
    guard full < 240_000, full / 100 % 100 < 60, full % 100 < 60 else { return nil }
    let seconds = full / 10_000 * 3_600 + full / 100 % 100 * 60 + full % 100
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
