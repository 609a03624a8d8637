import BelfryEngine
import BelfryModel
import FoundationEssentials
import ICalendar

/// One item as a VTODO, for stores that keep each item in a separate calendar.
package struct SingleTodo {
  /// The lines from `BEGIN:VTODO` to `END:VTODO`.
  package let todo: [UInt8]
  /// The VTIMEZONEs that the to-do needs, by their TZID.
  package let zones: [(name: String, lines: [UInt8])]

  /// The to-do of an item.
  ///
  /// - Parameters:
  ///   - snooze: its scheduled snooze.
  ///   - isZoned: whether a floating time is written in the machine's zone, so that programs elsewhere ring at the same
  ///     instant.
  /// - Throws: ``UnholdableText`` for a text that iCalendar cannot hold.
  package init(
    _ item: Item, snooze: Reminder?, isZoned: Bool, planner: Planner, now: Date
  ) throws(UnholdableText) {
    var context = ExportContext(planner: planner, now: now)
    let name = planner.floatingZone.identifier
    if isZoned, planner.zone(ifKnown: name)?.identifier == name { context.floatingZone = name }
    let writer = try TodoWriter(item, snooze: snooze, context: context)
    todo = writer.lines.bytes
    zones = writer.zoneNames.map { name in
      var lines = CalendarLines()
      if let zone = planner.zone(ifKnown: name), zone.identifier == name {
        for line in ZoneComponent.lines(zone) { lines.append(line) }
      }
      return (name, lines.bytes)
    }
  }

  /// True if a to-do with this line says that its time floats, though it is written in a zone.
  package static func saysFloating(_ line: some StringProtocol) -> Bool {
    line.hasPrefix("\(BelfryProperty.timeZone):\(BelfryProperty.floating)")
  }

  /// A calendar with only this to-do.
  package var calendar: [UInt8] {
    CalendarWriter.firstLines.bytes + zones.flatMap(\.lines) + todo + Array("END:VCALENDAR\r\n".utf8)
  }
}
