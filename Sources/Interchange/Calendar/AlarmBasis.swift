import CivilTime
import FoundationEssentials
import ICalendar

/// The due date and start of a to-do, to which its alarms are relative (RFC 5545, section 3.8.6.3).
struct AlarmBasis {
  /// The due date, on the clock of `zone`.
  let due: WallTime
  /// The rules of its zone.
  let zone: Zone
  /// The start; `nil` if there is none.
  let start: WallTime?
  /// True if DUE is only a date. Alarms then count from midnight.
  let isDate: Bool

  /// The lead time of an alarm at an instant; `nil` if it is after the due date.
  func lead(at instant: Date) -> CalendarDuration? {
    if isDate { return lead(at: zone.wallTime(at: instant)) }
    let seconds = zone.instant(of: due).instant.timeIntervalSince(instant)
    return lead(days: 0, minutes: Int((seconds / 60).rounded(.up)))
  }

  /// The lead time of an alarm at a time on the wall clock; `nil` if it is after the due date.
  func lead(at wall: WallTime) -> CalendarDuration? {
    lead(days: 0, minutes: due.minutesSinceEpoch - wall.minutesSinceEpoch)
  }

  /// The lead time of an alarm at an offset from the due date or the start; `nil` if it is after the due date.
  func lead(_ trigger: SignedDuration, fromStart: Bool) -> CalendarDuration? {
    let base = fromStart ? start ?? due : due
    var shift = due.minutesSinceEpoch - base.minutesSinceEpoch
    if isDate { shift += base.time.minutesSinceMidnight }
    // Floored to the minute, as every ``FireDate`` is.
    let minutes = shift - Int((Double(trigger.seconds) / 60).rounded(.down))
    let isWholeDays = shift % 1_440 == 0
    return lead(
      days: -trigger.days + (isWholeDays ? shift / 1_440 : 0), minutes: isWholeDays ? minutes - shift : minutes)
  }

  /// The lead time that rang last before an instant; the first lead time if none has rung.
  ///
  /// - Parameter leads: the longest first.
  func lastLead(of leads: [CalendarDuration], until instant: Date) -> CalendarDuration? {
    let last = leads.last { lead in
      let day = zone.instant(of: due.adding(days: -lead.days, minutes: isDate ? -lead.minutes : 0)).instant
      return day.addingTimeInterval(isDate ? 0 : -60 * Double(lead.minutes)) <= instant
    }
    return last ?? leads.first
  }

  private func lead(days: Int, minutes: Int) -> CalendarDuration? {
    var (days, minutes) = (days, minutes)
    if days < 0 || minutes < 0 {
      // One part is after the due date, so a day must count as 24 hours.
      let total = days * 1_440 + minutes
      guard total >= 0 else { return nil }
      (days, minutes) = days > 0 ? (total / 1_440, total % 1_440) : (0, total)
    }
    // For a date without a time, only days on the wall clock make sense.
    if isDate { (days, minutes) = (days + minutes / 1_440, minutes % 1_440) }
    return CalendarDuration(days: days, minutes: minutes)
  }
}

extension AlarmBasis {
  /// The value of a TRIGGER relative to the due date, for a lead time; the inverse of ``lead(_:fromStart:)``.
  ///
  /// - Returns: `nil` if DUE is only a date and the lead time has a day or more in hours.
  func trigger(_ lead: CalendarDuration) -> String? {
    guard isDate else { return lead == .zero ? lead.iso8601 : "-\(lead.iso8601)" }
    guard lead.minutes < 1_440 else { return nil }
    let late = due.time.minutesSinceMidnight - lead.minutes
    if late < 0 { return "-" + CalendarDuration(days: lead.days, minutes: -late).iso8601 }
    if late == 0 || lead.days == 0 {
      return (lead.days > 0 ? "-" : "") + CalendarDuration(days: lead.days, minutes: late).iso8601
    }
    return "-" + CalendarDuration(days: lead.days - 1, minutes: 1_440 - late).iso8601
  }
}
