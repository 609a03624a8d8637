import CivilTime
import FoundationEssentials

/// An item in a message, as it was when its reminder was claimed.
public struct ItemSnapshot: Sendable {
  // Kept by reference: a record has two dozen texts and arrays, and a content is copied on its way to each sink.
  fileprivate final class Content: Sendable {
    let record: ItemRecord
    let clock: ShownClock

    init(_ record: ItemRecord, _ clock: ShownClock) { (self.record, self.clock) = (record, clock) }
  }

  fileprivate let content: Content
  /// The number by which people name the item.
  public let id: Int64
  /// The identity that the item keeps in every store and file.
  public let uuid: UUID

  /// The snapshot of an item at an instant, with times in a zone.
  public init(_ item: Item, list: String, nextFireDate: FireDate?, zone: Zone, now: Date) {
    var record = ItemRecord(item, list: list, nextFireDate: nextFireDate, now: now)
    // Unknown fields belong to the item's own file only.
    record.unknown = nil
    (content, id, uuid) = (Content(record, .zone(zone)), item.id, item.uuid)
  }

  fileprivate init(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    reader.shownInstants = []
    defer { reader.shownInstants = nil }
    let record = try ItemRecord.form.read(raw, reader)
    guard let id = record.id else { throw reader.missing("id", raw) }
    guard let uuid = record.uuid else { throw reader.missing("uuid", raw) }
    (content, self.id, self.uuid) = (Content(record, .kept(reader.shownInstants ?? [])), id, uuid)
  }

  /// The record of the item, with its shown fields.
  package var record: ItemRecord { content.record }

  /// The text of the item.
  public var text: String { content.record.item.text }

  /// The notes of the item.
  public var notes: String? { content.record.item.notes }

  /// The due date, with the offset of the message's zone.
  public var due: OffsetInstant? { content.record.due.instant.map(content.clock.shown) }

  /// The due date on the clock of its zone.
  package var dueLocal: WallTime? { content.record.due.local }
}

/// A list in a message of its own reminder.
public struct ListSnapshot: Sendable, Record {
  package static let form = RecordForm<ListSnapshot>(14, "message's list") { fields in
    fields.add("id", \.id, .number)
    fields.add("name", \.name, .text)
    fields.add("unchecked", \.unchecked, ItemSnapshotsCodec())
  }

  /// The number by which the list is stored.
  public internal(set) var id: Int64 = 0
  /// The name as it was when the reminder was claimed.
  public internal(set) var name = ""
  /// The items that were unchecked when the reminder was claimed.
  public internal(set) var unchecked: [ItemSnapshot] = []
  package var unknown: UnknownFields?

  package init() {}

  /// The snapshot of a list.
  public init(id: Int64, name: String, unchecked: [ItemSnapshot]) {
    (self.id, self.name, self.unchecked) = (id, name, unchecked)
  }
}

/// An item in a content.
struct ItemSnapshotCodec: FieldCodec {
  var shape: FieldShape { .record }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> ItemSnapshot {
    guard value.kind == .object else { throw reader.mismatch(field, value, "an item") }
    var raw = RawRecord(ItemRecord.form.shownKind)
    try reader.scanner.record(in: value, &raw)
    return try reader.inside { reader throws(FormFault) in try ItemSnapshot(raw, reader) }
  }

  func write(_ value: ItemSnapshot, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(value, under: key)
  }
}

/// The items of a list in a content.
struct ItemSnapshotsCodec: FieldCodec {
  var shape: FieldShape { .record }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> [ItemSnapshot] {
    try reader.records(of: ItemRecord.form.shownKind, in: value) { raw throws(FormFault) in
      try ItemSnapshot(raw, reader)
    }
  }

  func write(_ value: [ItemSnapshot], _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, records: value.count) { try output.write(value[$0], under: nil) }
  }
}

extension RecordOutput {
  fileprivate func write(_ item: ItemSnapshot, under key: FieldKey?) throws {
    clock = item.content.clock
    defer { clock = nil }
    try ItemRecord.form.write(item.content.record, to: self, under: key)
  }
}
