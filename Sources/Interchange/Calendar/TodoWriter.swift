import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// Writes an item as a VTODO (RFC 5545, section 3.6.2), from which an import restores the whole item.
struct TodoWriter {
  private let item: Item
  private let snooze: Reminder?
  private let kept: KeptWriting
  private let due: DueText
  private let basis: AlarmBasis?
  private let zone: Zone
  private let now: Date
  private(set) var lines = CalendarLines()
  /// The names of the zones in the lines, which need a VTIMEZONE.
  private(set) var zoneNames: [String] = []

  /// A writer of one item.
  ///
  /// - Parameter snooze: its scheduled snooze.
  /// - Throws: ``UnholdableText`` for a text that iCalendar cannot hold.
  init(_ item: Item, snooze: Reminder?, context: ExportContext) throws(UnholdableText) {
    self.item = item
    self.snooze = snooze
    now = context.now
    zone = context.planner.displayZone(item.zone)
    kept = KeptWriting(item, planner: context.planner, floatingZone: context.floatingZone, now: context.now)
    let isDate = Self.isDate(item, dateMinutes: kept.dateMinutes)
    due = DueText(zone: item.zone, isDate: isDate, floatingZone: context.floatingZone)
    let start = kept.start.map { $0.wall(in: item.zone, planner: context.planner) }
    let zone = zone
    basis = item.due.map { AlarmBasis(due: $0.local, zone: zone, start: start, isDate: isDate) }
    try write()
  }

  private mutating func write() throws(UnholdableText) {
    lines.append("BEGIN:VTODO")
    if !kept.writes("UID") { lines.append("UID:\(item.uuid.text)") }
    lines.append("DTSTAMP:\(item.updatedAt.utcValue)")
    lines.append("CREATED:\(item.createdAt.utcValue)")
    lines.append("LAST-MODIFIED:\(item.updatedAt.utcValue)")
    try lines.append("SUMMARY", text: item.text)
    if let notes = item.notes { try lines.append("DESCRIPTION", text: notes) }
    writeSchedule()
    writeState()
    try writeOwn()
    let alarms = AlarmWriting(item, snooze: snooze, segments: kept.segments, basis: basis)
    try writeKept(alarms)
    try writeAlarms(alarms)
    lines.append("END:VTODO")
  }

  private mutating func writeSchedule() {
    guard let date = item.due?.local else { return }
    if let name = due.zoneName { zoneNames.append(name) }
    if let recurrence = item.recurrence {
      let plan = TodoRepeat(rule: recurrence.rule, start: recurrence.start)
      let rule = CalendarRule(plan, due: date, zone: zone, form: due.form)
      lines.append(due.line("DTSTART", date))
      lines.append("RRULE:\(rule.text)")
      if !rule.isWhole { lines.append(DueText.ownRule(recurrence, beside: rule.text, due: date)) }
      if recurrence.origin == .done { lines.append("\(BelfryProperty.repeatFrom):DONE") }
    }
    lines.append(due.line("DUE", date))
    if let mark = due.zoneMark { lines.append("\(BelfryProperty.timeZone):\(mark)") }
  }

  private mutating func writeState() {
    if !kept.writes("STATUS") { lines.append("STATUS:\(item.isChecked ? "COMPLETED" : "NEEDS-ACTION")") }
    guard let checkedAt = item.checkedAt else { return }
    lines.append("\(item.isChecked ? "COMPLETED" : BelfryProperty.checkedAt):\(checkedAt.utcValue)")
  }

  private mutating func writeOwn() throws(UnholdableText) {
    lines.append("\(BelfryProperty.id):\(item.id)")
    if let nag = item.nag { lines.append("\(BelfryProperty.nag):\(nag.iso8601)") }
    if let category = item.category { try lines.append(BelfryProperty.category, text: category) }
    if let key = item.key { try lines.append(BelfryProperty.key, text: key) }
    // An item that has a due date and does not remind gets the line for any lead time: without it, a reader would take a
    // to-do without VALARM for one that rings when it is due.
    if item.due == nil ? item.alerts != [.zero] : !item.shouldRemind, !item.alerts.isEmpty {
      lines.append("\(BelfryProperty.alerts):\(item.alerts.map(\.iso8601).joined(separator: ","))")
    }
    if let last = item.lastChecked {
      lines.append(DueText.anchored(BelfryProperty.lastChecked, last.start, last.due.basicText))
    }
    if item.due == nil, item.shouldRemind { lines.append("\(BelfryProperty.shouldRemind):TRUE") }
  }

  private mutating func writeKept(_ alarms: AlarmWriting) throws(UnholdableText) {
    for (index, segment) in kept.segments.enumerated() {
      switch segment {
      case .property(let line) where kept.writes(index):
        lines.append(line.text)
        if let name = line.parameter("TZID"), !zoneNames.contains(name) { zoneNames.append(name) }
      case .property(let line): try lines.append(BelfryProperty.property, text: line.text)
      case .text(let text): try lines.append(BelfryProperty.property, text: text)
      case .component(let component) where alarms.contradicts(index):
        for text in component.lines { try lines.append(BelfryProperty.property, text: text) }
      case .component: continue
      }
    }
  }

  private mutating func writeAlarms(_ alarms: AlarmWriting) throws(UnholdableText) {
    for alarm in alarms.alarms {
      switch alarm {
      case .kept(let component, let added):
        for line in component.lines.dropLast() + added + component.lines.suffix(1) { lines.append(line) }
      case .plain(let trigger, let added):
        lines.append("BEGIN:VALARM")
        lines.append("ACTION:DISPLAY")
        try lines.append("DESCRIPTION", text: item.text)
        lines.append(trigger)
        if let nag = item.nag {
          lines.append("REPEAT:\(Planner.nagLimit)")
          lines.append("DURATION:\(nag.iso8601)")
        }
        for line in added { lines.append(line) }
        lines.append("END:VALARM")
      }
    }
  }

  /// True if the due date is written without a time: it was imported as a date, still has that default time, and
  /// neither alerts nor rule need a time.
  private static func isDate(_ item: Item, dateMinutes: Int?) -> Bool {
    guard let due = item.due, item.zone == .floating, due.local.time.minutesSinceMidnight == dateMinutes,
      item.alerts.allSatisfy({ $0.minutes < 1_440 })
    else { return false }
    guard let recurrence = item.recurrence else { return true }
    let rule = recurrence.rule
    return rule.frequency != .hourly && rule.frequency != .minutely
      && rule.hours.isEmpty && rule.minutes.isEmpty && rule.seconds.isEmpty
  }
}
