import BelfryCore
import Foundation
import MemoryStore

extension StoreWriter {
  /// Writes a file that differs from another one in a few lines.
  ///
  /// - Parameters:
  ///   - state: the counters, the zone and the lists, and beside them what was touched.
  ///   - old: the other file.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot hold.
  consuming func write(_ state: StoreState, changes: StateChanges, over old: LinesSource) throws -> WrittenStore {
    let layout = old.layout
    try fields.file.openStore(StoreHead(state))
    try writeLists(state, changes, over: layout)
    try writeItems(state, changes, over: old)
    try splice(.reminders, reminders(state, changes, over: old), over: old) { writer, id in
      if let reminder = state.reminders[id] { try writer.write(reminder, extra: layout.extras[.reminder(id)]) }
    }
    if old.hasOutbox {
      try writeOutbox(state, changes, over: layout)
    } else {
      for section in [HeadField.messages, .deliveries] {
        try splice(section, Splice<Never>(), over: old) { _, _ in }
      }
    }
    fields.file.closeStore(nil)
    return WrittenStore(image: fields.file.image(), layout: RecordLayout(), sections: sections)
  }

  private mutating func writeItems(_ state: StoreState, _ changes: StateChanges, over old: LinesSource) throws {
    var splice = Splice<Int64>()
    for id in changes.items {
      if let line = old.items[id] { splice.remove(line) }
      guard let item = state.items[id] else { continue }
      let place = RecordPlace(item)
      splice.insert(id, place, at: try old.offset(of: place, in: .items))
    }
    try self.splice(.items, splice, over: old) { writer, id in
      guard let item = state.items[id] else { return }
      try writer.write(item, on: state.lists[item.listID], extra: old.layout.extras[.item(id)])
    }
  }

  private func reminders(
    _ state: StoreState, _ changes: StateChanges, over old: LinesSource
  ) throws -> Splice<UUID> {
    var splice = Splice<UUID>()
    for id in changes.reminders {
      if let line = old.reminders[id] { splice.remove(line) }
      guard let reminder = state.reminders[id] else { continue }
      let place = RecordPlace(reminder)
      splice.insert(id, place, at: try old.offset(of: place, in: .reminders))
    }
    return splice
  }

  private mutating func splice<Key>(
    _ section: HeadField, _ splice: Splice<Key>, over old: LinesSource,
    write: (inout FieldWriter, Key) throws -> Void
  ) throws {
    fields.file.openSection(section.key)
    var start = fields.file.position
    let pieces = splice.pieces(of: old.lines.sections[section], separator: old.lines.separatorCount)
    for (index, piece) in pieces.enumerated() {
      fields.file.separate(isFirst: index == 0)
      if index == 0 { start = fields.file.position }
      switch piece {
      case .copied(let range): fields.file.copy(range)
      case .written(let key): try write(&fields, key)
      }
    }
    sections[section] = start..<fields.file.position
    fields.file.closeSection()
  }
}
