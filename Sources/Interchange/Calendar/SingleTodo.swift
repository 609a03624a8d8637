import BelfryEngine
import BelfryModel
import FoundationEssentials
import ICalendar

/// One item as a VTODO, for stores that keep each item in a calendar of its own.
package struct SingleTodo {
  /// The lines from `BEGIN:VTODO` to `END:VTODO`.
  package let todo: [UInt8]
  /// The VTIMEZONEs that the to-do needs, by their TZID.
  package let zones: [(name: String, lines: [UInt8])]

  /// The to-do of an item.
  ///
  /// - Parameter snooze: its scheduled snooze.
  /// - Throws: ``UnholdableText`` for a text that iCalendar cannot hold.
  package init(_ item: Item, snooze: Reminder?, planner: Planner, now: Date) throws(UnholdableText) {
    let writer = try TodoWriter(item, snooze: snooze, context: ExportContext(planner: planner, now: now))
    todo = writer.lines.bytes
    zones = writer.zoneNames.map { name in
      var lines = CalendarLines()
      if let zone = planner.zone(ifKnown: name), zone.identifier == name {
        for line in ZoneComponent.lines(zone) { lines.append(line) }
      }
      return (name, lines.bytes)
    }
  }

  /// A calendar with this to-do alone.
  package var calendar: [UInt8] {
    CalendarWriter.firstLines.bytes + zones.flatMap(\.lines) + todo + Array("END:VCALENDAR\r\n".utf8)
  }
}
