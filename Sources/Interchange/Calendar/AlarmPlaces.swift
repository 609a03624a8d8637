import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The places of the alarms in a calendar file, for a store that marks them there (RFC 9074).
package struct AlarmPlaces {
  /// The line numbers of the starts of alarms, from 1, by the identity of their event or to-do and their lead time.
  package private(set) var lines: [UUID: [CalendarDuration: [Int]]] = [:]

  /// The places in a file; empty for a file that is not a calendar.
  package init(in bytes: [UInt8], context: ImportContext) {
    var source = CalendarSource(ByteSource(bytes), context: context)
    source.notesAlarms = true
    while (try? source.next()) != nil {}
    lines = source.alarmLines
  }

  /// The UID that is given to an alarm without one (RFC 9074, section 4).
  package static func uid(_ item: UUID, _ lead: CalendarDuration) -> String { SnoozeMark.uid(item, lead) }
}
