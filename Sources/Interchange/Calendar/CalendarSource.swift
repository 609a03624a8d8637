import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The to-dos of an iCalendar file (RFC 5545), one at a time: each VCALENDAR is a list, each VTODO an item.
///
/// A list's name is NAME (RFC 7986) or X-WR-CALNAME. Components of other kinds are counted as left out. A broken to-do
/// is refused as a whole, and reading continues; a file that is not a calendar in UTF-8 is an ``ImportError``.
struct CalendarSource: ImportSource {
  private let source: ByteSource
  private let context: ImportContext
  private var reader: ComponentReader
  private var todos: TodoReader
  private var entries: [ImportEntry] = []
  private var nextEntry = 0
  private var hasBegun = false
  /// The calendar's properties before its first component.
  private var heading = CalendarHeading()
  private var hasHeading = false
  /// The UIDs of the events that are due at their ends.
  private var eventsDueAtEnd: Set<String> = []
  /// The most components that wait for a VTIMEZONE.
  private static let mostWaiting = 10_000
  /// The components of the calendar from the first one on that uses a TZID whose VTIMEZONE may follow, since RFC 5545
  /// does not order components; `nil` after too many.
  private var waiting: [CalendarComponent]? = []
  /// Changed occurrences, which are imported after all to-dos, since their to-do may follow anywhere in the file.
  private var occurrences: [(occurrence: ImportedOccurrence, list: String)] = []

  /// The entries of the rest of a source.
  init(_ bytes: ByteSource, context: ImportContext) {
    source = bytes
    self.context = context
    reader = ComponentReader(bytes, readsEvents: context.readsEvents)
    todos = TodoReader(context: context, zones: CalendarZones(planner: context.planner))
  }

  /// The next entry; `nil` at the end.
  ///
  /// - Throws: ``ImportError`` if the file is not a calendar, and as the source.
  mutating func next() throws -> ImportEntry? {
    if !hasBegun {
      hasBegun = true
      try CalendarStart.check(source)
    }
    while nextEntry == entries.count {
      entries.removeAll(keepingCapacity: true)
      nextEntry = 0
      if let event = try reader.next() {
        handle(event)
      } else if occurrences.isEmpty {
        return nil
      } else {
        addOccurrences()
      }
    }
    defer { nextEntry += 1 }
    return entries[nextEntry]
  }

  /// Whether to note where alarms are.
  var notesAlarms: Bool {
    get { todos.alarmLines != nil }
    set { todos.alarmLines = newValue ? [:] : nil }
  }

  /// The lines at which alarms start, by the identity of their to-do and their lead time, if they were noted.
  var alarmLines: [UUID: [CalendarDuration: [Int]]] { todos.alarmLines ?? [:] }

  private var listName: String { heading.name ?? context.defaultListName }

  private mutating func handle(_ event: CalendarEvent) {
    switch event {
    case .calendarBegins:
      heading = CalendarHeading()
      hasHeading = false
      todos.zones = CalendarZones(planner: context.planner)
      waiting = []
    case .calendarProperty(let property):
      if !hasHeading { heading.add(property) }
    case .calendarEnds:
      addList()
      addWaiting()
      heading = CalendarHeading()
      hasHeading = true
    case .component(let component):
      addList()
      if component.name == "VTIMEZONE" {
        todos.zones.add(component)
      } else if let others = waiting, !others.isEmpty || todos.zones.lacksZone(of: component) {
        waiting?.append(component)
        guard others.count == Self.mostWaiting else { return }
        addWaiting()
        waiting = nil
      } else {
        add(component)
      }
    case .other(let words):
      addList()
      entries.append(.leftOut(words))
    case .broken(let fault, let component, let summary):
      refuse(fault, component: component, summary: summary)
    }
  }

  private mutating func addWaiting() {
    let components = waiting ?? []
    waiting = []
    for component in components { add(component) }
  }

  private mutating func add(_ component: CalendarComponent) {
    if component.name == "VEVENT" { addEvent(component) } else { addTodo(component) }
  }

  private mutating func addEvent(_ event: CalendarComponent) {
    guard let ringing = ringing(event) else { return entries.append(.leftOut(event.name)) }
    addTodo(ringing.todo)
    entries += ringing.leftOut.map(ImportEntry.leftOut)
  }

  // A changed occurrence is due like its series. An event is due at its start if its rule cannot be moved to its end.
  private mutating func ringing(_ event: CalendarComponent) -> RingingEvent? {
    let uid = event.all("UID").first?.value ?? ""
    let length = length(of: event)
    guard event.all("RECURRENCE-ID").isEmpty else {
      return RingingEvent(event, isDueAtEnd: eventsDueAtEnd.contains(uid), length: length)
    }
    if RingingEvent.ringsLate(event), let late = RingingEvent(event, isDueAtEnd: true, length: length),
      (try? todos.item(late.todo)) != nil
    {
      eventsDueAtEnd.insert(uid)
      return late
    }
    return RingingEvent(event, isDueAtEnd: false, length: length)
  }

  // The time that an event takes; `nil` if it has no end.
  private mutating func length(of event: CalendarComponent) -> CalendarDuration? {
    if let length = event.statedLength { return length }
    guard let start = instant("DTSTART", of: event), let end = instant("DTEND", of: event), end >= start else {
      return nil
    }
    return CalendarDuration(days: 0, minutes: Int(end.timeIntervalSince(start) / 60))
  }

  private mutating func instant(_ name: String, of event: CalendarComponent) -> Date? {
    guard let property = event.all(name).first,
      let time = try? TodoTime(property, dateMinutes: 0, zones: &todos.zones),
      let zone = try? context.planner.zone(time.zone)
    else { return nil }
    return zone.instant(of: time.wall).instant
  }

  private mutating func addTodo(_ todo: CalendarComponent) {
    do {
      let leftOut: [String]
      if let property = try todo.single("RECURRENCE-ID") {
        let changed = try todos.occurrence(todo, property)
        occurrences.append((changed.occurrence, listName))
        leftOut = changed.leftOut
      } else {
        let read = try todos.item(todo)
        entries.append(.item(read.item, list: listName))
        leftOut = read.leftOut
      }
      entries += leftOut.map(ImportEntry.leftOut)
    } catch  where context.keepsRepeatsWhole && !todo.all("RECURRENCE-ID").isEmpty {
      entries.append(.leftOut("the changed occurrence of line \(todo.line) (\(error.reason))"))
    } catch {
      refuse(error, component: todo.name, summary: todo.all("SUMMARY").first.map { CalendarText.unescaped($0.value) })
    }
  }

  // The earliest first, since each occurrence is separated from the rest of the repeat after earlier ones.
  private mutating func addOccurrences() {
    occurrences.sort { $0.occurrence.wall < $1.occurrence.wall }
    entries += occurrences.map { .occurrence($0.occurrence, list: $0.list) }
    occurrences = []
  }

  private mutating func addList() {
    guard !hasHeading else { return }
    hasHeading = true
    do {
      if let list = try heading.list(zones: &todos.zones, planner: context.planner) { entries.append(.list(list)) }
    } catch {
      refuse(error, component: "VCALENDAR", summary: heading.name)
    }
  }

  private mutating func refuse(_ fault: CalendarFault, component: String?, summary: String?) {
    var place = "line \(fault.line)"
    if let component { place += ", \(component)" }
    if let summary { place += " \(inQuotes(summary))" }
    entries.append(.refusal(ImportRefusal(place: place, reason: fault.reason)))
  }
}
