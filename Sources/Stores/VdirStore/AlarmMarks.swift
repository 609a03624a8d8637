import CivilTime
import FoundationEssentials

/// The marks that a file must have at the alarms of one of its events: acknowledgements and a snooze (RFC 9074).
struct AlarmMarks {
  /// An alarm of the event.
  struct Alarm {
    /// The number of its first line, from 1.
    let line: Int
    /// The UID that it gets if it has none; `nil` for the second of two with the same lead time, such as a mail.
    let uid: String?
    /// The time until which it is acknowledged; `nil` if it is not.
    let acknowledged: Date?
  }

  /// The alarms, and the numbers of their lines.
  var alarms: [Alarm] = []
  /// The times that are in the file only because of an answer that was taken back.
  var takenBack: Set<Date> = []
  /// The end of the scheduled snooze, and the number of the first line of the alarm that it puts off.
  var snooze: (line: Int, until: Date)?
  /// The event's text.
  var text = ""
  let now: Date
}
