import BelfryEngine
import BelfryModel

extension EntryReader {
  /// The edit that an entry asks for. A first due date turns reminding on.
  ///
  /// - Parameter item: the item to be edited; `nil` for a new one.
  /// - Throws: ``ItemEntryFaults``; the errors of the store.
  package func edit(_ entry: ItemEntry, of item: ItemListing?) throws -> ItemEdit {
    var edit = ItemEdit()
    var faults: [(field: ItemField, error: BelfryError)] = []
    // The zone first, since a new time is on its clock.
    for field in [.timeZone] + ItemField.allCases.filter({ $0 != .timeZone }) {
      guard let words = entry.values[field] else { continue }
      let zone = edit.zone ?? item?.item.zone ?? .floating
      do {
        try field.row.read(&edit, FieldWords(words: words, field: field, reader: self, zone: zone))
      } catch let error as BelfryError where error.kind != .storeFailed {
        faults.append((field, error))
      }
    }
    if faults.isEmpty, item == nil, let fault = undatedRepeat(edit) { faults.append((.due, fault)) }
    guard faults.isEmpty else { throw ItemEntryFaults(faults: faults) }
    if item?.item.due == nil, case .at = edit.due, edit.shouldRemind == nil { edit.shouldRemind = true }
    return edit
  }

  /// The error of a new item that repeats and has no due date.
  private func undatedRepeat(_ edit: ItemEdit) -> BelfryError? {
    guard edit.rule.map({ $0 != .clear }) ?? false, edit.due.map({ $0 == .none }) ?? true else { return nil }
    return BelfryError(
      .usage, "a repeating item needs a due date", hint: "set \(name(.due)) to the first occurrence")
  }
}
