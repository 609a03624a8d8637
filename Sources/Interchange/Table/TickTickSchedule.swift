import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar
import RecurrenceRules

/// The due date, alerts and repeat of a task in a TickTick backup.
///
/// Its times are in UTC, with a zone in a separate column. Reminders count from the start, or from midnight of a day.
struct TickTickSchedule {
  /// The lead times of the reminders; `nil` if one of them cannot be read, or is after the due date.
  let alerts: [CalendarDuration]?
  private let due: WallTime
  private let zone: ItemZone
  private let isDay: Bool
  private let plan: TodoRepeat?

  /// The schedule of a row; `nil` without a date that can be read.
  init?(_ row: NamedRow<TickTickTable.Column>, context: ImportContext) {
    let clock = row[.timezone].flatMap { context.planner.zone(ifKnown: $0) } ?? context.planner.floatingZone
    let start = row[.start].flatMap(Self.instant).map(clock.wallTime)
    guard let last = row[.due].flatMap(Self.instant).map(clock.wallTime) ?? start else { return nil }
    isDay = row[.isAllDay]?.lowercased() == "true"
    let minutes = Self.minutes(row[.reminder] ?? "")
    var first = start ?? last
    if isDay {
      // The latest reminder on the day itself rings when the item is due.
      let inDay = minutes?.filter { 0..<1_440 ~= $0 }.max()
      let minute = inDay ?? context.defaultTime.minutesSinceMidnight
      due = Self.midnight(of: last).adding(days: 0, minutes: minute)
      first = Self.midnight(of: first)
    } else {
      due = last
    }
    let wall = due
    let leads = minutes?.map { wall.minutesSinceEpoch - first.minutesSinceEpoch - $0 }
    alerts =
      leads?.contains { $0 < 0 } == true ? nil : leads?.map { CalendarDuration(days: $0 / 1_440, minutes: $0 % 1_440) }
    let isFloating = isDay || row[.isFloating]?.lowercased() == "true"
    zone =
      isFloating || clock.identifier == context.planner.floatingZone.identifier ? .floating : .fixed(clock.identifier)
    let anchor = isDay ? wall : first
    plan = row[.rule].flatMap { text in
      let rule = try? RecurrenceRule(text.hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text)
      return rule.flatMap { TodoRepeat($0, from: anchor, due: wall) }
    }
  }

  /// Sets the dates of an item. A completed one no longer repeats.
  func set(in item: inout ImportedItem) {
    item.due = .local(due, zone)
    item.alerts = alerts ?? []
    item.shouldRemind = !item.alerts.isEmpty
    if !item.isChecked { item.rule = plan?.rule }
    guard isDay, item.alerts.isEmpty else { return }
    item.properties.append(BelfryProperty.dateOnlyLine(minute: due.time.minutesSinceMidnight))
  }

  /// The instant of a time such as `2026-10-05T07:00:00+0000`.
  static func instant(_ text: String) -> Date? {
    parseRFC3339(text) ?? parseRFC3339("\(text.dropLast(2)):\(text.suffix(2))")
  }

  private static func midnight(of time: WallTime) -> WallTime { WallTime(midnightOf: time.date) }

  // The minutes from the start to each reminder, such as `-PT15M`, on a line each; `nil` for any other text.
  private static func minutes(_ text: String) -> [Int]? {
    let parts = text.split { $0.isNewline || $0 == "," || $0 == " " }
    let minutes = parts.compactMap { part in
      SignedDuration(part.hasPrefix("TRIGGER:") ? part.dropFirst(8) : part).map { $0.days * 1_440 + $0.seconds / 60 }
    }
    return minutes.count == parts.count ? minutes : nil
  }
}
