import BelfryModel
import FoundationEssentials
import OrderedJSON

// The state of items and lists for undoing. `list` holds the id of an item's list, since its name may change; instants
// follow from wall-clock times, and `updated_at` becomes the time of the undo.

extension Item {
  /// The record that undoing restores.
  var undoImage: String { undoRecord.json }

  /// A digest that changes only when the item itself is changed: not when others move.
  var undoMark: String {
    var record = undoRecord
    (record.due.instant, record.position) = (nil, nil)
    return ContentDigest(of: Array(record.json.utf8)).text
  }

  /// True if undoing would restore the same record.
  func isSame(as other: Item) -> Bool {
    var (one, other) = (undoRecord, other.undoRecord)
    (one.due.instant, other.due.instant) = (nil, nil)
    return one.json.utf8.elementsEqual(other.json.utf8)
  }

  private var undoRecord: ItemRecord {
    var record = ItemRecord(self, list: String(listID))
    record.updatedAt = nil
    return record
  }
}

extension Checklist {
  /// The record that undoing restores.
  var undoImage: String { undoRecord.json }

  /// A digest that changes only when the list itself is changed: not when others move, or its repeating reminder moves
  /// on.
  var undoMark: String {
    var record = undoRecord
    record.position = nil
    record.reminder?.due.instant = nil
    if reminder?.recurrence != nil { record.reminder?.due.local = nil }
    return ContentDigest(of: Array(record.json.utf8)).text
  }

  /// True if undoing would restore the same record.
  func isSame(as other: Checklist) -> Bool {
    var (one, other) = (undoRecord, other.undoRecord)
    one.reminder?.due.instant = nil
    other.reminder?.due.instant = nil
    return one.json.utf8.elementsEqual(other.json.utf8)
  }

  private var undoRecord: ListRecord {
    var record = ListRecord(self)
    record.updatedAt = nil
    return record
  }
}

extension Record {
  // Returns an empty text if a date cannot be written; restoring it then fails.
  fileprivate var json: String {
    String(decoding: (try? JSONRecordOutput.bytes(of: self)) ?? [], as: UTF8.self)
  }
}

extension Change {
  /// The item of an image, with the present time as its last change; `nil` if the image is not one of an item.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a zone that the system no longer knows.
  func restored(item image: String) throws -> Item? {
    guard let record = try? ItemRecord(json: image), let listID = record.list.flatMap({ Int64($0) }) else {
      return nil
    }
    var item = record.completed(on: listID, end: 1, writtenAt: stamp)
    item.due = try item.due.map { try planner.resolve($0.local, in: planner.zone(item.zone)) }
    return item
  }

  /// The list of an image, with the present time as its last change; see ``restored(item:)``.
  func restored(list image: String) throws -> Checklist? {
    guard var list = (try? ListRecord(json: image))?.list(writtenAt: stamp) else { return nil }
    if let reminder = list.reminder {
      list.reminder?.due = try planner.resolve(reminder.due.local, in: planner.zone(reminder.zone))
    }
    return list
  }
}
