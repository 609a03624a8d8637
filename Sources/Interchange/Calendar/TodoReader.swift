import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// Makes an item of a VTODO (RFC 5545, section 3.6.2).
///
/// ## Where RFC 5545 leaves room
/// - A to-do without alarm is due, but does not remind; one without due date is due at its last absolute alarm and
///   rings.
/// - STATUS:CANCELLED counts as checked and is exported as cancelled. COMPLETED and PERCENT-COMPLETE:100 also check,
///   but not if STATUS says that the to-do is open, since programs leave them when they reopen a to-do.
/// - The text is the first line of SUMMARY, or of DESCRIPTION if there is no SUMMARY; all else goes to the notes.
/// - A UID that is a UUID is the item's own. For any other, the item's UUID is a version 5 UUID of `ical ` and the UID,
///   which is kept.
/// - A time in UTC becomes a time on the local wall clock, but stays in UTC if the to-do repeats.
/// - RDATEs are kept, but do not ring. A changed occurrence of a repeating to-do (RECURRENCE-ID) becomes a separate
///   item, and the repeat continues without it.
struct TodoReader {
  let context: ImportContext
  var zones: CalendarZones
  /// The minutes from start to due date of each repeating to-do, if they differ.
  private var minutesToDue: [UUID: Int] = [:]
  /// The lines at which alarms start, by the identity of their to-do and their lead time; `nil` if they are not needed.
  var alarmLines: [UUID: [CalendarDuration: [Int]]]?

  init(context: ImportContext, zones: CalendarZones) {
    self.context = context
    self.zones = zones
  }

  /// The item of a to-do, and its parts that were left out, in a few words each.
  ///
  /// - Throws: a fault; then nothing of the to-do is imported.
  mutating func item(_ todo: CalendarComponent) throws(CalendarFault) -> (item: ImportedItem, leftOut: [String]) {
    try item(todo, uuid: todo.single("UID").map { UUID(calendarUID: $0.value) })
  }

  /// The changed occurrence of a repeating to-do, which may be anywhere in the file.
  ///
  /// - Parameter property: its RECURRENCE-ID.
  /// - Throws: as ``item(_:)``.
  mutating func occurrence(
    _ todo: CalendarComponent, _ property: CalendarProperty
  ) throws(CalendarFault) -> (occurrence: ImportedOccurrence, leftOut: [String]) {
    func fault(_ reason: String) -> CalendarFault {
      CalendarFault(line: property.number, reason: "it changes one occurrence of a repeating to-do, \(reason)")
    }
    guard let uid = try todo.single("UID")?.value else { throw fault("and has no UID that says which to-do") }
    let range = property.parameter("RANGE")?.uppercased()
    let isAndLater = range == "THISANDFUTURE" && context.keepsRepeatsWhole
    guard range == nil || isAndLater, todo.all("RRULE").isEmpty else {
      throw fault("and all later ones, which Belfry does not support: edit that item by hand")
    }
    let time = try TodoTime(property, dateMinutes: context.defaultTime.minutesSinceMidnight, zones: &zones)
    let uuid = UUID(namespace: .belfry, name: "ical \(uid) \(property.value)")
    var (item, leftOut) = try item(todo, uuid: uuid)
    // The key stays with the repeating item.
    item.key = nil
    let repeating = UUID(calendarUID: uid)
    let wall = time.wall.adding(days: 0, minutes: minutesToDue[repeating] ?? 0)
    var occurrence = ImportedOccurrence(of: repeating, at: wall, zone: time.zone, isDay: time.isDate, item: item)
    occurrence.isAndLater = isAndLater
    return (occurrence, leftOut)
  }

  private mutating func item(
    _ todo: CalendarComponent, uuid: UUID?
  ) throws(CalendarFault) -> (item: ImportedItem, leftOut: [String]) {
    let parts = try text(of: todo)
    zones.inexactMatch = nil
    let schedule = try TodoSchedule(todo, zones: &zones, context: context)
    if let uuid, schedule.minutesToDue != 0 { minutesToDue[uuid] = schedule.minutesToDue }
    let alarms = TodoAlarms(
      of: todo, text: parts.text, uuid: uuid, nag: try duration(BelfryProperty.nag, of: todo), basis: basis(schedule),
      floating: context.planner.floatingZone)

    if let uuid { alarmLines?[uuid] = alarms.lines }

    // The properties bring tags and priority.
    let content = ItemContent(
      text: parts.text, notes: parts.notes, shouldRemind: false, alerts: [], nag: alarms.nag,
      category: todo.all(BelfryProperty.category).first.map { CalendarText.unescaped($0.value) },
      key: todo.all(BelfryProperty.key).first.map { CalendarText.unescaped($0.value) }, tags: .empty, priority: nil,
      properties: [])
    var item = ImportedItem(content, uuid: uuid, place: todo.place(summary: parts.text))
    item.sequence = todo.all("SEQUENCE").first.flatMap { Int($0.value) } ?? 0
    item.itemID = todo.all(BelfryProperty.id).first.flatMap { Int64($0.value) }.flatMap { $0 < 0 ? nil : $0 }
    (item.snoozedUntil, item.acknowledged) = (alarms.snoozedUntil, alarms.acknowledged)
    item.notUnderstood = alarms.notUnderstood.uniqued()
    setState(of: todo, into: &item)
    setSchedule(schedule, of: todo, into: &item)
    try setAlarms(alarms, of: todo, into: &item)
    item.properties = KeptProperties(todo, uuid: item.uuid, schedule: schedule, zones: &zones).lines
    item.content.takeFields()
    // The alarms of an event are not kept, since events are not rewritten.
    if !item.isEvent { item.properties += alarms.kept.flatMap(\.lines) }
    var leftOut = schedule.leftOut + alarms.leftOut
    if !todo.all("RDATE").isEmpty { leftOut.append("RDATE") }
    if let (identifier, zone) = zones.inexactMatch {
      // A single date keeps its instant.
      if item.rule == nil {
        leftOut.append("VTIMEZONE with rules of no known time zone")
      } else {
        item.notUnderstood.append(
          "its TZID \(inQuotes(identifier)) has the rules of no known time zone: its repeat is kept on the clock of "
            + "\(zone), and shifts when the clocks of \(inQuotes(identifier)) change")
      }
    }
    return (item, leftOut)
  }

  private func text(of todo: CalendarComponent) throws(CalendarFault) -> (text: String, notes: String) {
    let (summary, description) = (try todo.single("SUMMARY"), try todo.single("DESCRIPTION"))
    for property in [summary, description].compactMap(\.self)
    where property.parameter("ENCODING")?.uppercased() == "QUOTED-PRINTABLE" {
      throw CalendarFault(
        line: property.number,
        reason: "its \(property.name) is in quoted-printable, of vCalendar 1.0: export it as iCalendar 2.0")
    }
    let notes = description.map { CalendarText.unescaped($0.value) } ?? ""
    let title = summary.map { CalendarText.unescaped($0.value) } ?? ""
    if let parts = try? ItemText(title, field: "SUMMARY") {
      let isOnlyText = parts.notes.isEmpty || notes.isEmpty
      return (parts.text, isOnlyText ? parts.notes + notes : "\(parts.notes)\n\(notes)")
    }
    guard let parts = try? ItemText(notes, field: "DESCRIPTION") else {
      throw CalendarFault(line: todo.line, reason: "it has no SUMMARY, and no DESCRIPTION in its place")
    }
    return (parts.text, parts.notes)
  }

  private func setState(of todo: CalendarComponent, into item: inout ImportedItem) {
    let status = todo.all("STATUS").first?.value.uppercased()
    let isOpen = status == "NEEDS-ACTION" || status == "IN-PROCESS"
    let completed = isOpen ? nil : todo.all("COMPLETED").first
    item.isChecked =
      status == "COMPLETED" || status == "CANCELLED" || completed != nil
      || (!isOpen && todo.all("PERCENT-COMPLETE").first?.value == "100")
    item.checkedAt =
      (completed ?? todo.all(BelfryProperty.checkedAt).first).flatMap { Date(utcValue: $0.value) }
    item.createdAt = todo.all("CREATED").first.flatMap { Date(utcValue: $0.value) }
    item.updatedAt =
      (todo.all("LAST-MODIFIED").first ?? todo.all("DTSTAMP").first).flatMap { Date(utcValue: $0.value) }
  }

  private func setSchedule(_ schedule: TodoSchedule, of todo: CalendarComponent, into item: inout ImportedItem) {
    guard let due = schedule.due else { return }
    let mark = todo.all(BelfryProperty.timeZone).first?.value
    let staysUTC = schedule.plan != nil || mark == Zone.utc.identifier
    if mark == BelfryProperty.floating, due.zone == .fixed(context.planner.floatingZone.identifier) {
      item.due = .local(due.wall, .floating)
    } else if case .utc(let time) = due.moment, !staysUTC, due.zone != .floating {
      item.due = .instant(schedule.usesDuration ? Date(utc: due.wall.civil) : Date(utc: time))
    } else {
      item.due = .local(due.wall, due.zone)
    }
    item.rule = schedule.plan?.rule
    item.exceptions = schedule.exceptions
    (item.excluded, item.added) = (schedule.excluded, schedule.added)
    item.repeatStart = schedule.plan.flatMap { $0.start == due.wall ? nil : $0.start }
    if let property = todo.all(BelfryProperty.lastChecked).first, let last = WallTime(basicText: property.value),
      let start = property.anchor
    {
      item.lastChecked = CheckedOccurrence(due: last, start: start)
    }
    if todo.all(BelfryProperty.repeatFrom).first?.value == "DONE" { item.repeatOrigin = .done }
  }

  private func setAlarms(
    _ alarms: TodoAlarms, of todo: CalendarComponent, into item: inout ImportedItem
  ) throws(CalendarFault) {
    item.alerts = alarms.leads
    item.shouldRemind = !alarms.leads.isEmpty || alarms.snoozedUntil != nil
    if let instant = alarms.lastInstant {
      item.due = .instant(instant)
      item.shouldRemind = true
    }
    guard alarms.leads.isEmpty else { return }
    if let property = try todo.single(BelfryProperty.alerts) {
      item.alerts = property.value.split(separator: ",").compactMap { CalendarDuration(iso8601: String($0)) }
    }
    if todo.all(BelfryProperty.shouldRemind).first?.value == "TRUE" { item.shouldRemind = true }
  }

  private func basis(_ schedule: TodoSchedule) -> AlarmBasis? {
    guard let due = schedule.due, let zone = try? context.planner.zone(due.zone) else { return nil }
    let start = schedule.start.map { $0.wall(in: due.zone, planner: context.planner) }
    return AlarmBasis(due: due.wall, zone: zone, start: start, isDate: due.isDate)
  }

  private func duration(_ name: String, of todo: CalendarComponent) throws(CalendarFault) -> CalendarDuration? {
    guard let property = try todo.single(name) else { return nil }
    guard let duration = CalendarDuration(iso8601: property.value), duration != .zero else {
      throw CalendarFault(line: property.number, reason: "its \(name) is not a duration such as PT10M")
    }
    return duration
  }
}

extension CalendarComponent {
  /// Its place for messages: `line 12, VTODO 'Buy milk'`.
  func place(summary: String) -> String { "line \(line), \(name) \(inQuotes(summary))" }
}

extension UUID {
  /// The UUID of an item with a UID: the UID itself if it is a UUID, with or without `urn:uuid:`, else one derived from
  /// it.
  init(calendarUID uid: String) {
    let bare = uid.lowercased().hasPrefix("urn:uuid:") ? String(uid.dropFirst(9)) : uid
    self = UUID(uuidString: bare) ?? UUID(namespace: .belfry, name: "ical \(uid)")
  }
}
