import CivilTime

/// The occurrences by which an item differs from its rule, as in calendars (EXDATE, RDATE, RECURRENCE-ID).
///
/// They are kept among its properties: times on the clock of its due date, with commas between them.
extension Item {
  /// The name of the property with the occurrences of the rule that do not take place.
  package static let exceptionsProperty = "X-BELFRY-EXCEPT"
  /// The name of the property with the occurrences in addition to the rule.
  package static let additionsProperty = "X-BELFRY-ALSO"

  /// The occurrences of the rule that do not take place.
  package var exceptions: [WallTime] { recurrence == nil ? [] : times(in: Self.exceptionsProperty) }

  /// The occurrences in addition to the rule.
  package var additions: [WallTime] { recurrence == nil ? [] : times(in: Self.additionsProperty) }

  /// A property with these times.
  package static func property(_ name: String, _ times: Set<WallTime>) -> String {
    "\(name):\(times.sorted().map(\.description).joined(separator: ","))"
  }

  private func times(in name: String) -> [WallTime] {
    properties.filter { $0.hasPrefix("\(name):") }.flatMap { line in
      line.dropFirst(name.count + 1).split(separator: ",").compactMap { WallTime(parsing: String($0)) }
    }
  }
}

extension Item {
  /// The property of an item whose due date was imported without a time. Its value is the time that was added, such as
  /// `0900`.
  package static let dateOnlyProperty = "X-BELFRY-DATE-ONLY"

  /// True if the item is due on a day, and its time is only the default one.
  ///
  /// The lead times of its alerts are then in wall-clock time: midnight is midnight, also on a day of 23 hours.
  public var isDueAllDay: Bool {
    guard let due, zone == .floating, !properties.isEmpty else { return false }
    let time = due.local.description.suffix(5).utf8.filter { $0 != UInt8(ascii: ":") }
    return properties.contains("\(Self.dateOnlyProperty):\(String(decoding: time, as: UTF8.self))")
  }
}

extension ItemContent {
  /// The property of an event of a calendar, which Belfry rings and does not change.
  package static let eventProperty = "X-BELFRY-EVENT:TRUE"
  /// The name of the property with the time from an event's due date to its end, such as `PT1H`; of an all-day event,
  /// the days that it takes, such as `P1D`.
  package static let lengthProperty = "X-BELFRY-LENGTH"

  /// True for an event of a calendar, which rings, is not a to-do, and ends by itself.
  package var isEvent: Bool { properties.contains(Self.eventProperty) }

  /// The time from an event's due date to its end; `nil` if its calendar gives no end.
  package var length: CalendarDuration? {
    let name = "\(Self.lengthProperty):"
    return properties.first { $0.hasPrefix(name) }.flatMap {
      CalendarDuration(iso8601: String($0.dropFirst(name.count)))
    }
  }
}

extension Item {
  /// See ``ItemContent/isEvent``.
  package var isEvent: Bool { content.isEvent }
}

extension ImportedItem {
  /// See ``ItemContent/isEvent``.
  package var isEvent: Bool { content.isEvent }
}
