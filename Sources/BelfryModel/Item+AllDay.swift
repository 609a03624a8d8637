extension Item {
  /// The property with the time of day, such as `0900`, at which an item is due whose due date came as a day alone.
  public static let dateOnlyProperty = "X-BELFRY-DATE-ONLY"

  /// Whether it is due on a day, and its time is only the one that days stand for.
  ///
  /// Its alerts are then meant on the clock on the wall: midnight is midnight, also on a day of 23 hours.
  public var isDueAllDay: Bool {
    guard let due, zone == .floating, !properties.isEmpty else { return false }
    let time = due.local.description.suffix(5).utf8.filter { $0 != UInt8(ascii: ":") }
    return properties.contains("\(Self.dateOnlyProperty):\(String(decoding: time, as: UTF8.self))")
  }
}
