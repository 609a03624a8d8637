import BelfryCore
import Foundation
import MemoryStore

/// Writes a whole file: what was not touched as it stood, what was touched anew, each at its place.
package struct StoreWriter {
  var fields: FieldWriter
  var sections = SectionTable()

  /// A writer of a file that replaces the one that `writer` copies from.
  package init(_ writer: any RecordWriter) { fields = FieldWriter(writer) }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - changes: what the state differs in from what the old file says.
  ///   - old: how the old file said it.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot hold.
  package consuming func write(
    _ state: StoreState, changes: StateChanges, over old: RecordLayout
  ) throws -> WrittenStore {
    var layout = RecordLayout()
    layout.extras = old.extras
    layout.listNames = state.lists.mapValues(\.name)
    try fields.file.openStore(StoreHead(state))
    layout.lists = try writeLists(state, changes, over: old)
    let touched = changes.items.union(state.items(ofListsRenamedIn: changes.lists, from: old.listNames))
    layout.items = try section(
      .items, old.items.merging(touched) { state.items[$0].map(RecordPlace.init) }
    ) { writer, id in
      guard let item = state.items[id] else { return }
      try writer.write(item, on: state.lists[item.listID], extra: old.extras[.item(id)])
    }
    layout.reminders = try section(
      .reminders, old.reminders.merging(changes.reminders) { state.reminders[$0].map(RecordPlace.init) }
    ) { writer, id in
      if let reminder = state.reminders[id] { try writer.write(reminder, extra: old.extras[.reminder(id)]) }
    }
    (layout.messages, layout.deliveries) = try writeOutbox(state, changes, over: old)
    fields.file.closeStore(old.extras[.store])
    let image = fields.file.image()
    layout.source = image.joined()
    return WrittenStore(image: image, layout: layout, sections: sections)
  }

  @discardableResult
  mutating func writeLists(
    _ state: StoreState, _ changes: StateChanges, over old: RecordLayout
  ) throws -> RecordSection<Int64> {
    try section(
      .lists, old.lists.merging(changes.lists) { state.lists[$0].map(RecordPlace.init) }
    ) { writer, id in
      guard let list = state.lists[id] else { return }
      try writer.write(list, extra: old.extras[.list(id)], reminderExtra: old.extras[.listReminder(id)])
    }
  }

  @discardableResult
  mutating func writeOutbox(
    _ state: StoreState, _ changes: StateChanges, over old: RecordLayout
  ) throws -> (messages: RecordSection<UUID>, deliveries: RecordSection<Int64>) {
    let messages = try section(
      .messages, old.messages.merging(changes.messages) { state.messages[$0].map(RecordPlace.init) }
    ) { writer, id in
      if let message = state.messages[id] { try writer.write(message, extra: old.extras[.message(id)]) }
    }
    let deliveries = try section(
      .deliveries, old.deliveries.merging(changes.deliveries) { state.deliveries[$0].map(RecordPlace.init) }
    ) { writer, id in
      guard let delivery = state.deliveries[id] else { return }
      try writer.write(delivery, state.attempts[id] ?? [], extra: old.extras[.delivery(id)])
    }
    return (messages, deliveries)
  }

  private mutating func section<Key>(
    _ section: HeadField, _ entries: [RecordEntry<Key>], write: (inout FieldWriter, Key) throws -> Void
  ) throws -> RecordSection<Key> {
    var written: [RecordEntry<Key>] = []
    written.reserveCapacity(entries.count)
    fields.file.openSection(section.key)
    var next = 0
    sections[section] = fields.file.position..<fields.file.position
    while next < entries.count {
      fields.file.separate(isFirst: next == 0)
      if next == 0 { sections[section] = fields.file.position..<fields.file.position }
      let start = fields.file.position
      let run = runOfCopies(entries, from: next)
      if let first = run.first, let last = run.last {
        fields.file.copy(first.range.lowerBound..<last.range.upperBound)
        let shift = start - first.range.lowerBound
        for entry in run { written.append(entry.shifted(by: shift)) }
        next += run.count
      } else {
        try write(&fields, entries[next].key)
        written.append(RecordEntry(key: entries[next].key, range: start..<fields.file.position))
        next += 1
      }
    }
    sections[section] = sections[section].lowerBound..<fields.file.position
    fields.file.closeSection()
    return RecordSection(sorted: written)
  }

  // Records that stand in the old file as they are to stand in the new one: one behind the other.
  private func runOfCopies<Key>(_ entries: [RecordEntry<Key>], from first: Int) -> ArraySlice<RecordEntry<Key>> {
    guard !entries[first].range.isEmpty else { return [] }
    var end = first + 1
    while end < entries.count, !entries[end].range.isEmpty,
      entries[end - 1].range.upperBound <= entries[end].range.lowerBound,
      fields.file.isSeparator(entries[end - 1].range.upperBound..<entries[end].range.lowerBound)
    {
      end += 1
    }
    return entries[first..<end]
  }
}

extension StoreHead {
  init(_ state: StoreState) throws(BelfryError) {
    nextItemID = state.nextItemID
    nextListID = state.nextListID
    nextDeliveryID = state.nextDeliveryID
    zone = state.plannedZone
    var sinks: [String] = []
    for (_, problem) in state.problems.sorted(by: { $0.key < $1.key }) { sinks += try problem.texts() }
    self.sinks = sinks
  }
}

extension StoreState {
  /// The items that name a list under a name that it no longer has.
  fileprivate func items(ofListsRenamedIn touched: Set<Int64>, from oldNames: [Int64: String]) -> [Int64] {
    let renamed = touched.filter { id in
      guard let name = lists[id]?.name, let oldName = oldNames[id] else { return false }
      return !name.utf8.elementsEqual(oldName.utf8)
    }
    return renamed.isEmpty ? [] : items.values.filter { renamed.contains($0.listID) }.map(\.id)
  }

  /// Everything that there is, as if it had just been added.
  package var everything: StateChanges {
    var changes = StateChanges()
    changes.head = true
    changes.lists = Set(lists.keys)
    changes.items = Set(items.keys)
    changes.reminders = Set(reminders.keys)
    changes.messages = Set(messages.keys)
    changes.deliveries = Set(deliveries.keys)
    return changes
  }
}
