import BelfryCore
import Foundation
import MemoryStore

extension StateBuilder {
  /// Reads an item; the lists must have been read before.
  mutating func readItem(_ record: RawRecord) throws(StoreFault) {
    let item = try item(record)
    try add(item, at: record.range.lowerBound)
    layout.items.append(item.id, source(record, required: ItemField.required), at: RecordPlace(item))
    if let extra = record.extra { layout.extras[.item(item.id)] = extra }
  }

  /// The item that a record says.
  ///
  /// A person who adds one by hand needs to say its number, its list and its text; the rest follows.
  mutating func item(_ record: RawRecord) throws(StoreFault) -> Item {
    let list = try decoder.symbol(record, ItemField.list)
    let listID = try listID(named: list, at: decoder.start(record, ItemField.list))
    let id = try decoder.number(record, ItemField.id)
    let due = try due(record, local: ItemField.dueLocal, instant: ItemField.dueDate)
    return Item(
      id: id, uuid: try uuid(record, of: id, list: list), listID: listID, position: try position(record, on: listID),
      text: try decoder.text(record, ItemField.text), notes: try decoder.optionalText(record, ItemField.notes),
      isChecked: try said(record, ItemField.isChecked) ? decoder.bool(record, ItemField.isChecked) : false, due: due,
      zone: try said(record, ItemField.timeZone) ? ItemZone(decoder.symbol(record, ItemField.timeZone)) : .floating,
      shouldRemind: try said(record, ItemField.shouldRemind)
        ? decoder.bool(record, ItemField.shouldRemind) : due != nil,
      alerts: try said(record, ItemField.alerts) ? decoder.alerts(record, ItemField.alerts) : [.zero],
      recurrence: try decoder.recurrence(
        record, ItemField.rule, start: ItemField.repeatStart, from: ItemField.repeatFrom),
      lastChecked: try lastChecked(record), nag: try decoder.optionalSpan(record, ItemField.nag),
      category: try decoder.optionalSymbol(record, ItemField.category),
      properties: try decoder.texts(record, ItemField.properties),
      createdAt: try instant(record, ItemField.createdAt), updatedAt: try instant(record, ItemField.updatedAt),
      checkedAt: try decoder.optionalInstant(record, ItemField.checkedAt))
  }

  /// When something is due. The wall-clock time rules: where a hand has written no instant beside it, any will do until
  /// it is planned.
  func due<Field: RecordField>(
    _ record: RawRecord, local: Field, instant: Field
  ) throws(StoreFault) -> DueDate? {
    guard let time = try decoder.optionalWallTime(record, local) else {
      guard !decoder.isSaid(record, instant) else {
        throw decoder.fault(
          record, instant,
          "this \(record.kind.noun) has a \"\(decoder.name(instant, record))\" and no \"\(decoder.name(local, record))\""
        )
      }
      return nil
    }
    if let date = try decoder.optionalFireDate(record, instant) { return DueDate(local: time, instant: date) }
    do {
      return DueDate(
        local: time, instant: try FireDate(Date(timeIntervalSince1970: Double(time.minutesSinceEpoch) * 60)))
    } catch {
      throw decoder.fault(record, local, "\(error)")
    }
  }

  private func lastChecked(_ record: RawRecord) throws(StoreFault) -> CheckedOccurrence? {
    guard
      let (due, start) = try decoder.bothOrNone(
        record, (ItemField.lastCheckedDue, decoder.optionalWallTime(record, ItemField.lastCheckedDue)),
        (ItemField.lastCheckedStart, decoder.optionalWallTime(record, ItemField.lastCheckedStart)))
    else { return nil }
    return CheckedOccurrence(due: due, start: start)
  }

  private func uuid(_ record: RawRecord, of id: Int64, list: String) throws(StoreFault) -> UUID {
    guard said(record, ItemField.uuid) else { return UUID(namespace: .belfry, name: "item \(list) \(id)") }
    return try decoder.uuid(record, ItemField.uuid)
  }

  private func position(_ record: RawRecord, on listID: Int64) throws(StoreFault) -> Int64 {
    guard said(record, ItemField.position) else { return endPosition(listID: listID) }
    return try decoder.integer(record, ItemField.position, in: Int64.min...Int64.max)
  }
}

extension ItemField {
  /// What a record must say so that it can be copied as it stands.
  fileprivate static let required: [ItemField] = [
    .uuid, .position, .isChecked, .shouldRemind, .createdAt, .updatedAt,
  ]
}
