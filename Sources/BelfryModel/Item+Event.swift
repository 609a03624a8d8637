extension ItemContent {
  /// The property of an event of a calendar, which Belfry rings and does not change.
  package static let eventProperty = "X-BELFRY-EVENT:TRUE"

  /// True for an event of a calendar: it rings, is no to-do, and ends by itself.
  package var isEvent: Bool { properties.contains(Self.eventProperty) }
}

extension Item {
  /// See ``ItemContent/isEvent``.
  package var isEvent: Bool { content.isEvent }
}

extension ImportedItem {
  /// See ``ItemContent/isEvent``.
  package var isEvent: Bool { content.isEvent }
}
