import CivilTime
import FoundationEssentials

package struct ReminderRecord: Record {
  enum Kind: String, CaseIterable { case planned, snooze, nag, escalation }

  package static let form = RecordForm<ReminderRecord>(3, "reminder") { fields in
    fields.add("reminder_id", \.id, .identity)
    fields.add("item_id", \.itemID, .integer)
    fields.add("list_id", \.listID, .integer)
    fields.add("due_local", \.dueLocal, .wallTime)
    fields.add("lead", \.lead, .duration, unless: .zero)
    fields.add("kind", \.kind, WordCodec(Kind.self, \.rawValue), unless: .planned)
    fields.add("serial", \.serial, NumberCodec<Int64>(range: 0...ReminderRecord.largestSerial))
    fields.add("fire_date", \.fireDate, .fireDate)
    fields.add("state", \.state, WordCodec(Reminder.State.self, \.word))
    fields.add("changed_at", \.changedAt, .instant)
  }

  /// The largest number of a snooze, nag or escalation in a file.
  private static let largestSerial: Int64 = 1 << 40

  private var id = UUID.belfry
  private var itemID: Int64?
  private var listID: Int64?
  private var dueLocal = WallTime(minutesSinceEpoch: 0)
  private var lead = CalendarDuration.zero
  private var kind = Kind.planned
  private var serial: Int64?
  private var fireDate = FireDate.earliest
  private var state = Reminder.State.scheduled
  private var changedAt = Date.distantPast
  package var unknown: UnknownFields?

  package init() {}

  /// The record of a reminder.
  package init(_ reminder: Reminder) {
    let occurrence = reminder.occurrence
    id = reminder.id
    switch occurrence.owner {
    case .item(let id): itemID = id
    case .list(let id): listID = id
    }
    (dueLocal, lead) = (occurrence.wallTime, occurrence.lead)
    switch occurrence.kind {
    case .planned: break
    case .snooze(let minute): (kind, serial) = (.snooze, min(max(0, Int64(minute)), Self.largestSerial))
    case .nag(let count): (kind, serial) = (.nag, min(max(0, Int64(count)), Self.largestSerial))
    case .escalation(let place): (kind, serial) = (.escalation, Int64(place.number))
    }
    (fireDate, state, changedAt) = (reminder.fireDate, reminder.state, reminder.changedAt)
    unknown = reminder.unknown
  }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    guard (itemID == nil) != (listID == nil) else {
      let names = (reader.name("item_id", raw), reader.name("list_id", raw))
      throw reader.fault(raw, "this reminder must have either \"\(names.0)\" or \"\(names.1)\"")
    }
    if kind != .planned, serial == nil { throw reader.missing("serial", raw) }
    guard occurrenceKind != nil else {
      throw reader.fault("serial", raw, "this is not the number of a step and ring of an escalation")
    }
  }

  // `nil` for the number of no occurrence.
  private var occurrenceKind: Occurrence.Kind? {
    let number = Int(serial ?? 0)
    return switch kind {
    case .planned: .planned
    case .snooze: .snooze(number)
    case .nag: .nag(number)
    case .escalation: EscalationPlace(number: number).map(Occurrence.Kind.escalation)
    }
  }

  /// The reminder of a valid record.
  package var reminder: Reminder {
    let owner = itemID.map(ReminderOwner.item) ?? .list(listID ?? 0)
    var reminder = Reminder(
      id: id, occurrence: Occurrence(owner: owner, wallTime: dueLocal, lead: lead, kind: occurrenceKind ?? .planned),
      fireDate: fireDate, state: state, changedAt: changedAt)
    reminder.unknown = unknown
    return reminder
  }
}

extension Reminder.State {
  var word: String {
    switch self {
    case .scheduled: "scheduled"
    case .fired: "fired"
    case .cancelled: "cancelled"
    case .missed: "missed"
    }
  }
}
