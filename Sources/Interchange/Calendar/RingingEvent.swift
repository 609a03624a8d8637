import BelfryModel
import CivilTime
import ICalendar

/// An event whose alarms ring (RFC 5545, section 3.6.1), as a to-do.
///
/// It is due at its start, or at its end if an alarm rings after the start, since no reminder comes after a due date.
struct RingingEvent {
  /// The to-do, with the properties of the event that Belfry uses.
  private(set) var todo: CalendarComponent
  /// The alarms left out, in a few words each.
  private(set) var leftOut: [String] = []

  private static let used: Set = [
    "UID", "SUMMARY", "DESCRIPTION", "LOCATION", "URL", "CATEGORIES", "PRIORITY", "DTSTART", "RRULE", "RDATE", "EXDATE",
    "EXRULE", "RECURRENCE-ID", "SEQUENCE", "DTSTAMP", "CREATED", "LAST-MODIFIED", "X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK",
  ]

  /// The to-do of an event; `nil` if it has no alarms and does not change an occurrence of another event.
  ///
  /// - Parameter length: the time that it takes; `nil` if it has no end.
  init?(_ event: CalendarComponent, isDueAtEnd: Bool, length: CalendarDuration?) {
    todo = CalendarComponent(name: event.name, line: event.line)
    todo.properties = event.properties.filter { Self.used.contains($0.name) }
    add(ItemContent.eventProperty)
    if let length = isDueAtEnd ? .zero : length { add("\(ItemContent.lengthProperty):\(length.iso8601)") }
    if (event.all("SUMMARY") + event.all("DESCRIPTION")).allSatisfy(\.isBlank) {
      todo.properties.removeAll { $0.name == "SUMMARY" }
      add("SUMMARY:Event without a title")
    }
    if event.all("STATUS").first?.value.uppercased() == "CANCELLED" { add("STATUS:CANCELLED") }
    if isDueAtEnd {
      addEnd(of: event)
      todo.components = event.alarms
    } else {
      addAlarms(of: event)
    }
    if event.isAllDay, let minute = isDueAtEnd ? 0 : ringingMinute { add(BelfryProperty.dateOnlyLine(minute: minute)) }
    guard !todo.components.isEmpty || !event.all("RECURRENCE-ID").isEmpty else { return nil }
  }

  /// True if an alarm of an event rings after its start, or its first day.
  static func ringsLate(_ event: CalendarComponent) -> Bool {
    event.alarms.contains { alarm in
      guard let offset = event.offset(of: alarm) else { return alarm.isFromEnd }
      return event.isAllDay ? offset >= 86_400 : offset > 0
    }
  }

  private mutating func add(_ line: String) {
    if let property = try? CalendarProperty(Array(line.utf8), number: todo.line) { todo.properties.append(property) }
  }

  // DTEND of an event is DUE of a to-do. An all-day event without an end takes a day.
  private mutating func addEnd(of event: CalendarComponent) {
    if let end = event.all("DTEND").first {
      add("DUE" + end.text.dropFirst(end.name.count))
    } else if let duration = event.all("DURATION").first {
      add(duration.text)
    } else if event.isAllDay {
      add("DURATION:P1D")
    }
  }

  // Alarms that count from the end are changed to count from the start.
  private mutating func addAlarms(of event: CalendarComponent) {
    for var alarm in event.alarms {
      guard alarm.isFromEnd else {
        todo.components.append(alarm)
        continue
      }
      guard let offset = event.offset(of: alarm),
        let trigger = try? CalendarProperty(
          Array("TRIGGER:\(offset < 0 ? "-" : "")PT\(abs(offset))S".utf8), number: alarm.line)
      else {
        leftOut.append("VALARM counted from the end of an event")
        continue
      }
      alarm.properties = alarm.properties.map { $0.name == "TRIGGER" ? trigger : $0 }
      todo.components.append(alarm)
    }
  }

  // The minute of the day at which the latest alarm on the first day of an all-day event rings. The event is due then.
  private var ringingMinute: Int? {
    let triggers = todo.components.flatMap { $0.all("TRIGGER") }.compactMap { SignedDuration($0.value) }
    return triggers.filter { $0.days == 0 && 0..<86_400 ~= $0.seconds }.map { $0.seconds / 60 }.max()
  }
}

extension CalendarComponent {
  fileprivate var alarms: [CalendarComponent] { components.filter { $0.name == "VALARM" } }

  fileprivate var isFromEnd: Bool { all("TRIGGER").contains { $0.parameter("RELATED")?.uppercased() == "END" } }

  fileprivate var isAllDay: Bool {
    if case .date? = all("DTSTART").first.flatMap({ CalendarMoment($0.value) }) { true } else { false }
  }

  /// The seconds from the start of an event to one of its alarms; `nil` if the alarm rings at an instant, or if the
  /// event's start and end are in different zones.
  fileprivate func offset(of alarm: CalendarComponent) -> Int? {
    guard let trigger = alarm.all("TRIGGER").first.flatMap({ SignedDuration($0.value) }) else { return nil }
    guard alarm.isFromEnd else { return trigger.inSeconds }
    return length.map { $0 + trigger.inSeconds }
  }

  /// The time that an event takes by its DURATION, or its days; `nil` if only its start and end show it.
  var statedLength: CalendarDuration? {
    // An all-day event of no days would be over as its day starts.
    if isAllDay { return length.map { CalendarDuration(days: max(1, $0 / 86_400), minutes: 0) } }
    guard let duration = all("DURATION").first.flatMap({ SignedDuration($0.value) }), duration.days >= 0,
      duration.seconds >= 0
    else { return nil }
    return CalendarDuration(days: duration.days, minutes: duration.seconds / 60)
  }

  /// The seconds from the start of an event to its end.
  private var length: Int? {
    if let property = all("DURATION").first { return SignedDuration(property.value)?.inSeconds }
    guard let start = all("DTSTART").first, let end = all("DTEND").first else { return isAllDay ? 86_400 : 0 }
    guard start.parameter("TZID") == end.parameter("TZID") else { return nil }
    return switch (CalendarMoment(start.value), CalendarMoment(end.value)) {
    case (.date(let start), .date(let end)): (end.daysSinceEpoch - start.daysSinceEpoch) * 86_400
    case (.local(let start), .local(let end)), (.utc(let start), .utc(let end)):
      end.secondsSinceEpoch - start.secondsSinceEpoch
    default: nil
    }
  }
}

extension SignedDuration {
  fileprivate var inSeconds: Int { days * 86_400 + seconds }
}

extension CalendarProperty {
  /// True if its text has nothing to read.
  fileprivate var isBlank: Bool { CalendarText.unescaped(value).allSatisfy(\.isWhitespace) }
}
