import CivilTime
import FoundationEssentials
import ICalendar
import RecurrenceRules

/// The repeat of a to-do: a rule, and the wall-clock time of DUE from which it counts.
///
/// In a calendar a rule counts from DTSTART, and every occurrence is due as long after its start as the first (RFC
/// 5545, section 3.8.5.3). Belfry counts due dates, so the rule is moved from the start to the due date if possible.
struct TodoRepeat: Hashable {
  var rule: RecurrenceRule
  var start: WallTime

  /// The repeat of a rule from `start`, whose first occurrence is due at `due`; `nil` if no rule gives the due
  /// dates.
  init?(_ rule: RecurrenceRule, from start: WallTime, due: WallTime) {
    self.rule = rule
    self.start = due
    guard start != due else { return }
    guard Self.moves(rule, from: start, to: due) else { return nil }
    let seconds = (due.minutesSinceEpoch - start.minutesSinceEpoch) * 60
    let end: RecurrenceRule.End
    switch rule.end {
    case .never, .count: end = rule.end
    case .until(.date(let date)):
      end = .until(.date(date.adding(days: due.date.daysSinceEpoch - start.date.daysSinceEpoch)))
    case .until(.local(let time)):
      end = .until(.local(CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + seconds)))
    case .until(.utc(let time)):
      end = .until(.utc(CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + seconds)))
    }
    guard let moved = rule.ending(end) else { return nil }
    self.rule = moved
  }

  /// A repeat of a rule and its anchor.
  init(rule: RecurrenceRule, start: WallTime) {
    self.rule = rule
    self.start = start
  }

  private static func moves(_ rule: RecurrenceRule, from start: WallTime, to due: WallTime) -> Bool {
    guard rule.hours.isEmpty, rule.minutes.isEmpty, rule.seconds.isEmpty else { return false }
    guard start.date != due.date else { return rule.frequency != .hourly && rule.frequency != .minutely }
    let choosesDays =
      !(rule.months.isEmpty && rule.weekNumbers.isEmpty && rule.yearDays.isEmpty
      && rule.monthDays.isEmpty && rule.weekdays.isEmpty)
    guard !choosesDays else { return false }
    switch rule.frequency {
    case .daily, .weekly, .hourly, .minutely: return true
    case .monthly, .yearly:
      // Months differ in length, so only within one month, and on days that all months have.
      return start.date.year == due.date.year && start.date.month == due.date.month
        && max(start.date.day, due.date.day) <= 28
    }
  }

  /// The occurrences, with an UNTIL in UTC converted to the clock of a zone.
  func occurrences(in zone: Zone) -> RecurrenceSet {
    RecurrenceSet(
      start: start.civil,
      countingStart: rule.withLocalUntil { zone.wallTime(at: Date(utc: $0)).civil })
  }
}
