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
