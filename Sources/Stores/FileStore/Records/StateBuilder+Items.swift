import BelfryCore

extension StateBuilder {
  /// Reads an item; the lists must have been read before.
  mutating func readItem(_ record: RawRecord) throws(StoreFault) {
    let list = try decoder.symbol(record, ItemField.list)
    let item = Item(
      id: try decoder.number(record, ItemField.id), uuid: try decoder.uuid(record, ItemField.uuid),
      listID: try listID(named: list, at: record.values[ItemField.list.rawValue].range.lowerBound),
      position: try decoder.integer(record, ItemField.position, in: Int64.min...Int64.max),
      text: try decoder.text(record, ItemField.text), notes: try decoder.optionalText(record, ItemField.notes),
      isChecked: try decoder.bool(record, ItemField.isChecked), due: try due(record),
      zone: ItemZone(try decoder.symbol(record, ItemField.timeZone)),
      shouldRemind: try decoder.bool(record, ItemField.shouldRemind),
      alerts: try decoder.alerts(record, ItemField.alerts),
      recurrence: try decoder.recurrence(
        record, ItemField.rule, start: ItemField.repeatStart, from: ItemField.repeatFrom),
      lastChecked: try lastChecked(record), nag: try decoder.optionalDuration(record, ItemField.nag),
      category: try decoder.optionalSymbol(record, ItemField.category),
      createdAt: try decoder.instant(record, ItemField.createdAt),
      updatedAt: try decoder.instant(record, ItemField.updatedAt),
      checkedAt: try decoder.optionalInstant(record, ItemField.checkedAt))
    try add(item, at: record.range.lowerBound)
    layout.items.append(item.id, record.source, at: RecordPlace(item))
    if let extra = record.extra { layout.extras[.item(item.id)] = extra }
  }

  private func due(_ record: RawRecord) throws(StoreFault) -> DueDate? {
    guard
      let (local, instant) = try decoder.bothOrNone(
        record, (ItemField.dueLocal, decoder.optionalWallTime(record, ItemField.dueLocal)),
        (ItemField.dueDate, decoder.optionalFireDate(record, ItemField.dueDate)))
    else { return nil }
    return DueDate(local: local, instant: instant)
  }

  private func lastChecked(_ record: RawRecord) throws(StoreFault) -> CheckedOccurrence? {
    guard
      let (due, start) = try decoder.bothOrNone(
        record, (ItemField.lastCheckedDue, decoder.optionalWallTime(record, ItemField.lastCheckedDue)),
        (ItemField.lastCheckedStart, decoder.optionalWallTime(record, ItemField.lastCheckedStart)))
    else { return nil }
    return CheckedOccurrence(due: due, start: start)
  }
}
