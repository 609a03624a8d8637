import CivilTime
import FoundationEssentials
import RecurrenceRules

/// The fields of a due date in files: the wall-clock time is authoritative, the instant follows from it.
package struct DueParts {
  package var instant: Date?
  package var local: WallTime?

  init(_ due: DueDate? = nil) { (instant, local) = (due?.instant.date, due?.local) }

  /// The due date of valid fields. An instant that is missing, in a record written by hand, is provisional until
  /// planning.
  var date: DueDate? {
    guard let local else { return nil }
    let instant = self.instant ?? Date(timeIntervalSince1970: Double(local.minutesSinceEpoch) * 60)
    return (try? FireDate(instant)).map { DueDate(local: local, instant: $0) }
  }

  /// Refuses an instant without a wall-clock time, and one that cannot be a fire date.
  func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    guard let local else {
      guard instant == nil else {
        throw reader.fault(
          "due_date", raw,
          "this \(raw.kind.noun) has a \"\(reader.name("due_date", raw))\" and no \"\(reader.name("due_local", raw))\"")
      }
      return
    }
    do {
      let date = try FireDate(instant ?? Date(timeIntervalSince1970: Double(local.minutesSinceEpoch) * 60))
      guard instant == nil || date.date == instant else {
        throw reader.fault("due_date", raw, "this instant must be a full minute")
      }
    } catch let fault as FormFault {
      throw fault
    } catch {
      throw reader.fault(instant == nil ? "due_local" : "due_date", raw, "\(error)")
    }
  }
}

/// The fields of a recurrence in files.
package struct RecurrenceParts {
  package var rule: RecurrenceRule?
  package var start: WallTime?
  package var origin: Recurrence.Origin?

  init(_ recurrence: Recurrence? = nil) {
    (rule, start, origin) = (recurrence?.rule, recurrence?.start, recurrence?.origin)
  }

  /// The recurrence of valid fields.
  var recurrence: Recurrence? {
    guard let rule, let start else { return nil }
    return Recurrence(rule: rule, start: start, origin: origin ?? .due)
  }

  /// Refuses a rule without a start, and a start without a rule.
  func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    try reader.requireBothOrNone(("repeat", rule != nil), ("repeat_start", start != nil), raw)
  }
}
