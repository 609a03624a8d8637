import CivilTime
import ICalendar
import RecurrenceRules

/// The changes of the clocks that a VTIMEZONE states (RFC 5545, section 3.6.5), listed once and then only searched.
struct ZoneDefinition {
  private static let mostObservances = 200
  private static let mostRules = 40
  private static let mostDates = 1_000
  private static let mostOnsets = 10_000

  /// One change of the clocks.
  fileprivate struct Onset {
    /// Seconds after 1970-01-01T00:00 on the clock before the change.
    let clock: Int
    /// Seconds east of UTC before and after.
    let from: Int
    let to: Int
  }

  /// The changes in order, at least one.
  private let onsets: [Onset]

  /// The changes of a VTIMEZONE; `nil` without any, if a part of them cannot be read, or if there are too many.
  init?(_ component: CalendarComponent) {
    let parts = component.components.filter { $0.name == "STANDARD" || $0.name == "DAYLIGHT" }
    guard 1...Self.mostObservances ~= parts.count else { return nil }
    let observances = parts.compactMap(Observance.init)
    let rules = observances.reduce(0) { $0 + $1.rules.count }
    let dates = observances.reduce(0) { $0 + $1.dates.count }
    guard observances.count == parts.count, rules <= Self.mostRules, dates <= Self.mostDates else { return nil }
    var onsets: [Onset] = []
    for observance in observances {
      guard let more = observance.onsets(most: Self.mostOnsets - onsets.count) else { return nil }
      onsets += more
    }
    self.onsets = onsets.sorted { $0.clock < $1.clock }
  }

  /// Seconds east of UTC at a time on the zone's own clock, after the latest change until then, or before the first
  /// change.
  func offset(onClock time: CivilDateTime) -> Int { offset(onClock: Self.followed(time)) }

  private func offset(onClock seconds: Int) -> Int {
    onsets.last { $0.clock <= seconds }?.to ?? onsets[0].from
  }

  /// The offsets from the year before a time, or from the first change if that is later, to the tenth year after it.
  func offsets(around time: CivilDateTime) -> OffsetHistory {
    let clock = Self.followed(time)
    let start = min(clock, max(clock - Self.year, onsets[0].clock - 1))
    let first = offset(onClock: start)
    let lowest = start - first
    let span = lowest...max(lowest, clock - first + 10 * Self.year)
    let changes = onsets.map { OffsetChange(at: $0.clock - $0.from, offset: $0.to) }
      .filter { $0.at > lowest && $0.at <= span.upperBound }
    return OffsetHistory(over: span, first: first, changes: changes.sorted { $0.at < $1.at })
  }

  private static let year = 366 * 86_400

  // MARK: The years in which rules are followed

  /// The most seconds of a rule that are followed: 160 years.
  static let longestSpan = 160 * year
  /// The end of 2120, beyond which no rule is followed.
  private static let horizon = 4_765_132_799

  /// The part of a rule that is followed: its last years, or its first years if COUNT ends it.
  static func span(of rule: RecurrenceRule, from start: CivilDateTime) -> (first: CivilDateTime, last: CivilDateTime) {
    let end =
      switch rule.end {
      case .never: horizon
      case .count: start.secondsSinceEpoch + longestSpan
      case .until(.date(let date)): CivilDateTime(midnightOf: date).secondsSinceEpoch + 86_399
      case .until(.local(let time)), .until(.utc(let time)): time.secondsSinceEpoch
      }
    let last = min(end, horizon)
    return (max(start, CivilDateTime(secondsSinceEpoch: last - longestSpan)), CivilDateTime(secondsSinceEpoch: last))
  }

  // A time after 2109 is treated like the same time in an earlier year, since the calendar of most years recurs after
  // 28 years.
  private static func followed(_ time: CivilDateTime) -> Int {
    let periods = max(0, time.date.year - 2_109 + 27) / 28
    return time.secondsSinceEpoch - periods * 10_227 * 86_400
  }
}

/// The changes of the clocks from one offset to another: a STANDARD or DAYLIGHT.
private struct Observance {
  /// The first change, the rules that count from it, and the single changes, on the clock before each.
  private let start: CivilDateTime
  let rules: [RecurrenceRule]
  let dates: [CivilDateTime]
  /// Seconds east of UTC before and after.
  private let from: Int
  private let to: Int

  /// The changes of a component; `nil` if it cannot be read.
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
    (self.start, self.rules, self.dates) = (start, rules, dates)
  }

  /// The changes, in no order; `nil` for more than `most`.
  func onsets(most: Int) -> [ZoneDefinition.Onset]? {
    var times = dates
    for rule in rules where times.count <= most { times += self.times(of: rule).prefix(most + 1 - times.count) }
    guard times.count <= most else { return nil }
    return times.map { ZoneDefinition.Onset(clock: $0.secondsSinceEpoch, from: from, to: to) }
  }

  // COUNT is counted here, since a set would count it beyond the years that are followed.
  private func times(of rule: RecurrenceRule) -> some Sequence<CivilDateTime> {
    let span = ZoneDefinition.span(of: rule, from: start)
    let set = RecurrenceSet(start: start, rules: rule.ending(.never).map { [$0] } ?? [])
    let most = if case .count(let count) = rule.end { count } else { Int.max }
    return set.occurrences(from: span.first, through: span.last).prefix(most)
  }

  // No clock changes more than once a day, and a rule that did would take long to follow.
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
