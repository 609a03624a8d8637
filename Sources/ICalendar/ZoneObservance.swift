import CivilTime

/// Changes of a zone's clocks that follow one rule, or a single change: a STANDARD or DAYLIGHT (RFC 5545, section
/// 3.6.5).
struct ZoneObservance: Hashable {
  /// The rule for the day of each change in its year.
  private enum Rule: Hashable {
    /// The nth weekday of the month, -1 for the last.
    case weekday(Int)
    /// The weekday within the seven days from this one on.
    case from(Int)
  }

  private(set) var transitions: [ZoneTransition]
  private var days: [CivilDate]

  /// The observance of one change.
  init(_ transition: ZoneTransition) {
    transitions = [transition]
    days = [Self.day(of: transition)]
  }

  /// The changes in as few observances as possible, ordered by their first change.
  static func all(of transitions: [ZoneTransition]) -> [ZoneObservance] {
    var done: [ZoneObservance] = []
    var open: [ZoneObservance] = []
    for transition in transitions {
      if let index = open.lastIndex(where: { $0.accepts(transition) }) {
        open[index].transitions.append(transition)
        open[index].days.append(day(of: transition))
      } else {
        open.append(ZoneObservance(transition))
      }
      let year = day(of: transition).year
      done += open.filter { $0.lastYear < year - 1 }
      open.removeAll { $0.lastYear < year - 1 }
    }
    return (done + open).sorted { $0.transitions[0].instant < $1.transitions[0].instant }
  }

  private static func day(of transition: ZoneTransition) -> CivilDate {
    CivilDateTime(secondsSinceEpoch: transition.local).date
  }

  /// The year of the last change.
  var lastYear: Int { days[days.count - 1].year }

  private func accepts(_ transition: ZoneTransition) -> Bool {
    let (first, day) = (transitions[0], Self.day(of: transition))
    let previous = days[days.count - 1]
    guard day.year == previous.year + 1, day.month == previous.month, day.weekday == previous.weekday,
      (transition.from, transition.to, transition.name) == (first.from, first.to, first.name),
      (transition.local - first.local) % 86_400 == 0
    else { return false }
    return Self.rule(days + [day]) != nil
  }

  private static func rule(_ days: [CivilDate]) -> Rule? {
    if days.allSatisfy({ $0.day > CivilDate.daysInMonth($0.month, of: $0.year) - 7 }) { return .weekday(-1) }
    let weeks = Set(days.map { ($0.day - 1) / 7 + 1 })
    if weeks.count == 1, let week = weeks.first, week < 5 { return .weekday(week) }
    let numbers = days.map(\.day)
    guard let first = numbers.min(), let last = numbers.max(), last - first <= 6 else { return nil }
    return .from(first)
  }

  /// The value of RRULE, endless or up to the last change; `nil` for fewer than three changes, which are listed
  /// instead.
  func recurrence(isEndless: Bool) -> String? {
    guard days.count > 2, let rule = Self.rule(days), let last = transitions.last else { return nil }
    let weekday = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][days[0].weekday.rawValue - 1]
    var text = "FREQ=YEARLY;BYMONTH=\(days[0].month);"
    switch rule {
    case .weekday(let ordinal): text += "BYDAY=\(ordinal)\(weekday)"
    case .from(let day):
      text += "BYMONTHDAY=\((day...day + 6).map(String.init).joined(separator: ","));BYDAY=\(weekday)"
    }
    // The later of UTC and local time: some readers compare UNTIL with local times, and the next change is a year away.
    let until = CivilDateTime(secondsSinceEpoch: max(last.instant, last.local))
    return isEndless ? text : "\(text);UNTIL=\(until)Z"
  }
}
