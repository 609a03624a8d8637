import BelfryCore
import Foundation

// Dates and identities, which look the same in all formats.
extension RecordDecoder {
  func optionalInstant(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> Date? {
    let value = record.values[field.rawValue]
    guard isPresent(value) else { return nil }
    if value.kind == .text, let instant = DateText.utcInstant(slice(value.range)) { return instant }
    let text = try text(value)
    guard let instant = DateText.instant(text) else {
      throw fault(record, field, "\(shown(text)) is no instant such as 2026-11-21T08:00:00Z")
    }
    return instant
  }

  func instant(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> Date {
    try present(optionalInstant(record, field), record, field)
  }

  func optionalFireDate(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> FireDate? {
    guard let instant = try optionalInstant(record, field) else { return nil }
    let date: FireDate
    do { date = try FireDate(instant) } catch { throw fault(record, field, "\(error)") }
    guard date.date == instant else { throw fault(record, field, "this instant must be a full minute") }
    return date
  }

  func fireDate(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> FireDate {
    try present(optionalFireDate(record, field), record, field)
  }

  func optionalWallTime(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> WallTime? {
    let value = record.values[field.rawValue]
    guard isPresent(value) else { return nil }
    if value.kind == .text, let time = DateText.wallTime(slice(value.range)) { return time }
    throw fault(record, field, "\(shown(try text(value))) is no wall-clock time such as 2026-11-21T09:00")
  }

  func wallTime(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> WallTime {
    try present(optionalWallTime(record, field), record, field)
  }

  func uuid(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> UUID {
    let value = try required(record, field)
    if value.kind == .text, let identity = IdentityText.uuid(slice(value.range)) { return identity }
    throw fault(record, field, "\(shown(try text(value))) is no UUID")
  }
}
