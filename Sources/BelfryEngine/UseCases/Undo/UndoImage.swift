import BelfryModel
import FoundationEssentials
import OrderedJSON

// Undoing restores the record of an item or list. Under `list` an item has the number of its list, whose name may
// change; instants follow from wall-clock times, and `updated_at` is when a change is taken back.

extension Item {
  /// Everything that undoing restores.
  var undoImage: String { undoRecord.json }

  /// The same for items that nobody has changed in between: moving others does not change one.
  var undoMark: String {
    var record = undoRecord
    (record.due.instant, record.position) = (nil, nil)
    return ContentDigest(of: Array(record.json.utf8)).text
  }

  /// Whether undoing would restore the same.
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
  /// Everything that undoing restores.
  var undoImage: String { undoRecord.json }

  /// The same for lists that nobody has changed in between: a reminder that repeats moves on by itself.
  var undoMark: String {
    var record = undoRecord
    record.reminder?.due.instant = nil
    if reminder?.recurrence != nil { record.reminder?.due.local = nil }
    return ContentDigest(of: Array(record.json.utf8)).text
  }

  /// Whether undoing would restore the same.
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
  // An instant that no file can keep makes no image: then nothing is taken back.
  fileprivate var json: String {
    String(decoding: (try? JSONRecordOutput.bytes(of: self)) ?? [], as: UTF8.self)
  }
}

extension Change {
  /// The item that an image shows, as changed now.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a zone that the system no longer knows; `nil` for an image of something
  ///   else.
  func restored(item image: String) throws -> Item? {
    guard let record = try? ItemRecord(json: image), let listID = record.list.flatMap({ Int64($0) }) else {
      return nil
    }
    var item = record.completed(on: listID, end: 1, writtenAt: stamp)
    item.due = try item.due.map { try planner.resolve($0.local, in: planner.zone(item.zone)) }
    return item
  }

  /// The list that an image shows, as changed now; see ``restored(item:)``.
  func restored(list image: String) throws -> Checklist? {
    guard var list = (try? ListRecord(json: image))?.list(writtenAt: stamp) else { return nil }
    if let reminder = list.reminder {
      list.reminder?.due = try planner.resolve(reminder.due.local, in: planner.zone(reminder.zone))
    }
    return list
  }
}
