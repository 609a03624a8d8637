import ICalendar

/// The next part of a calendar file.
enum CalendarEvent {
  /// `BEGIN:VCALENDAR`.
  case calendarBegins
  /// A property of the calendar itself.
  case calendarProperty(CalendarProperty)
  /// `END:VCALENDAR`, or the place where it is missing.
  case calendarEnds
  /// A complete to-do, time zone or event.
  case component(CalendarComponent)
  /// Something other than a to-do, by its kind.
  case other(String)
  /// A component or line that cannot be imported, with its fault and a to-do's summary.
  case broken(CalendarFault, component: String?, summary: String?)
}

/// Reads the components of a calendar stream (RFC 5545, section 3.4); only one is in memory at a time.
///
/// A component that ends too early, in the wrong place or not at all is refused, and no other: reading continues at the
/// next component that can only be at the top of a calendar.
struct ComponentReader {
  /// The components that occur only directly in a calendar, and the calendar itself.
  static let roots: Set = [
    "VCALENDAR", "VTODO", "VEVENT", "VJOURNAL", "VFREEBUSY", "VTIMEZONE", "VAVAILABILITY", "VPOLL",
  ]
  /// The components that are read and not skipped.
  private let wanted: Set<String>
  private var lines: ContentLineReader
  private var events: [CalendarEvent] = []
  private var isInCalendar = false
  private var lastLine = 0
  private var builder: ComponentBuilder?
  /// The component being skipped: its name, its first line, and the number of components open inside it.
  private var passing: (name: String, line: Int, depth: Int)?

  /// A reader of the rest of a source.
  ///
  /// - Parameter readsEvents: whether events are read, or counted as other components.
  init(_ source: ByteSource, readsEvents: Bool = false) {
    wanted = readsEvents ? ["VTODO", "VTIMEZONE", "VEVENT"] : ["VTODO", "VTIMEZONE"]
    lines = ContentLineReader(source)
  }

  /// The next event; `nil` at the end.
  ///
  /// - Throws: as the source.
  mutating func next() throws -> CalendarEvent? {
    while events.isEmpty {
      guard let line = try lines.next() else {
        finish()
        return events.isEmpty ? nil : events.removeFirst()
      }
      lastLine = line.number
      if let name = line.component("BEGIN:") {
        begin(name, line.number)
      } else if let name = line.component("END:") {
        end(name, line.number)
      } else {
        handle(line)
      }
    }
    return events.removeFirst()
  }

  private mutating func begin(_ name: String, _ line: Int) {
    if Self.roots.contains(name) {
      giveUpOpen { "line \(line) begins a \(name) before END:\($0)" }
    } else if builder != nil {
      builder?.begin(name, line: line)
      return
    } else if passing != nil {
      passing?.depth += 1
      return
    }
    if name == "VCALENDAR" {
      if isInCalendar {
        events.append(broken(line, "it begins before the END:VCALENDAR of the one before", component: name))
        events.append(.calendarEnds)
      }
      isInCalendar = true
      events.append(.calendarBegins)
    } else if wanted.contains(name) {
      builder = ComponentBuilder(name: name, line: line)
    } else {
      passing = (name, line, 0)
      // A fixed set of words, since a file can make up any number of names.
      events.append(
        .other(Self.roots.contains(name) ? name : name == "VALARM" ? "VALARM outside of a to-do" : "unknown component"))
    }
  }

  private mutating func end(_ name: String, _ line: Int) {
    if name == "VCALENDAR" {
      giveUpOpen { "line \(line) ends the VCALENDAR before END:\($0)" }
      events.append(isInCalendar ? .calendarEnds : broken(line, "END:VCALENDAR without its BEGIN"))
      isInCalendar = false
    } else if var builder {
      self.builder = nil
      guard builder.end(name, line: line) else {
        self.builder = builder
        return
      }
      close(builder)
    } else if let (passed, first, depth) = passing {
      if depth > 0, name != passed {
        passing?.depth = depth - 1
      } else if name == passed {
        passing = nil
      } else {
        events.append(broken(line, "END:\(name) inside the \(passed) of line \(first)"))
      }
    } else {
      events.append(broken(line, "END:\(name) without its BEGIN"))
    }
  }

  private mutating func handle(_ line: UnfoldedLine) {
    if builder != nil {
      builder?.add(line)
    } else if passing == nil {
      if let fault = line.fault {
        events.append(.broken(fault, component: nil, summary: nil))
      } else if isInCalendar {
        do {
          events.append(.calendarProperty(try CalendarProperty(line.bytes, number: line.number)))
        } catch {
          events.append(.broken(error, component: nil, summary: nil))
        }
      } else {
        events.append(.other("line outside of a calendar"))
      }
    }
  }

  /// Refuses the component that is still open, with the reason that `reason` gives for its name.
  private mutating func giveUpOpen(_ reason: (String) -> String) {
    if var builder {
      builder.refuse(CalendarFault(line: builder.root.line, reason: reason(builder.root.name)))
      close(builder)
      self.builder = nil
    } else if let passing {
      events.append(broken(passing.line, reason(passing.name), component: passing.name))
      self.passing = nil
    }
  }

  private mutating func close(_ builder: ComponentBuilder) {
    if let fault = builder.fault {
      events.append(.broken(fault, component: builder.root.name, summary: builder.summary))
    } else {
      events.append(.component(builder.root))
    }
  }

  private mutating func finish() {
    let isCutOff = builder != nil || passing != nil
    giveUpOpen { "the file ends before END:\($0)" }
    guard isInCalendar else { return }
    isInCalendar = false
    if !isCutOff {
      events.append(broken(lastLine, "the file ends before END:VCALENDAR, so its end may be lost"))
    }
    events.append(.calendarEnds)
  }

  private func broken(_ line: Int, _ reason: String, component: String? = nil) -> CalendarEvent {
    .broken(CalendarFault(line: line, reason: reason), component: component, summary: nil)
  }
}
