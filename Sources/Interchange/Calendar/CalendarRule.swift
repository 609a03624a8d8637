import CivilTime
import FoundationEssentials
import ICalendar
import RecurrenceRules

/// The RRULE for a repeat of Belfry: its occurrences from `due` on.
///
/// Belfry counts from an anchor that may be long before the current due date; a calendar counts from DTSTART, which
/// must be the due date.
struct CalendarRule: Hashable {
  /// The value of RRULE.
  let text: String
  /// True if ``text`` and the due date give the same repeat when read back.
  let isWhole: Bool

  /// The rule for a repeat whose next due date is `due`.
  ///
  /// - Parameters:
  ///   - zone: the rules of the item's zone.
  ///   - form: the form of DTSTART, which UNTIL must share.
  init(_ plan: TodoRepeat, due: WallTime, zone: Zone, form: DueForm) {
    var rule = plan.rule
    if case .count = rule.end, plan.start != due {
      // COUNT also counted the occurrences before the due date.
      let end = WallTime(minutesSinceEpoch: .max).civil
      if let found = plan.occurrences(in: zone).last(atOrBefore: end), let ending = rule.ending(.until(.local(found))) {
        rule = ending
      }
    }
    if case .until(let until) = rule.end, let ending = rule.ending(.until(Self.until(until, zone: zone, form: form))) {
      rule = ending
    }
    text = rule.description
    isWhole = rule == plan.rule && plan.start == due
  }

  /// An UNTIL in the form of DTSTART (RFC 5545, section 3.3.10).
  private static func until(
    _ until: RecurrenceRule.Until, zone: Zone, form: DueForm
  ) -> RecurrenceRule.Until {
    switch (until, form) {
    case (.date, .date), (.local, .floating), (.utc, .zoned): return until
    case (.local(let time), .date): return .date(time.date)
    case (.utc(let time), .date): return .date(zone.wallTime(at: Date(utc: time)).date)
    case (.utc(let time), .floating): return .local(zone.wallTime(at: Date(utc: time)).civil)
    case (.date(let date), .floating): return .local(Self.lastMoment(of: date))
    case (.date(let date), .zoned): return .utc(Self.utc(Self.lastMoment(of: date), zone))
    case (.local(let time), .zoned): return .utc(Self.utc(time, zone))
    }
  }

  private static func lastMoment(of date: CivilDate) -> CivilDateTime {
    CivilDateTime(secondsSinceEpoch: (date.daysSinceEpoch + 1) * 86_400 - 1)
  }

  private static func utc(_ time: CivilDateTime, _ zone: Zone) -> CivilDateTime {
    let minute = WallTime(civil: time)
    let instant = zone.instant(of: minute).instant.timeIntervalSince1970
    return CivilDateTime(secondsSinceEpoch: Int(instant) + time.second)
  }
}

/// The form of a due date.
enum DueForm: Hashable {
  /// A day without a time.
  case date
  /// A time on the wall clock without a zone.
  case floating
  /// A time with a zone or in UTC.
  case zoned
}
