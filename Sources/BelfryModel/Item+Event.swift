import CivilTime

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
