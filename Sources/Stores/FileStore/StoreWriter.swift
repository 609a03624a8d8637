import BelfryModel
import FoundationEssentials
import Glibc
import MemoryStore

/// Writes a whole file in order: unchanged records are copied, changed ones are encoded.
package struct StoreWriter {
  private let output: any StoreOutput
  private let old: StoreLayout
  private var layout = StoreLayout()

  /// Writes the file that replaces another.
  ///
  /// - Parameters:
  ///   - changes: the differences between the state and the other file.
  ///   - old: the layout of the other file.
  ///   - output: the output for the format, still empty.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot represent.
  package static func write(
    _ state: StoreState, changes: StateChanges, over old: StoreLayout, to output: any StoreOutput
  ) throws -> StoreLayout {
    var writer = StoreWriter(output: output, old: old)
    do {
      try writer.write(state, changes)
    } catch let value as UnwritableValue {
      throw value.error(in: "the store")
    }
    return writer.layout
  }

  private init(output: any StoreOutput, old: StoreLayout) { (self.output, self.old) = (output, old) }

  private mutating func write(_ state: StoreState, _ changes: StateChanges) throws {
    let problems = state.problems.values.sorted { $0.sink < $1.sink }
    let inboxes = state.inboxes.values.sorted { $0.sink < $1.sink }
    let people = state.people.values.sorted { $0.number < $1.number }
    try output.openStore(
      StoreHead(state.counters, problems: problems, inboxes: inboxes, people: people, requests: state.requests))
    layout.lists = try section(
      .lists, old.lists, changes.lists, { state.lists[$0].map(RecordPlace.init) }, { "list \($0)" },
      { state.lists[$0].map { ListRecord($0) } })
    let touchedItems = changes.items.union(state.items(ofListsRenamedIn: changes.lists, from: old.listNames))
    layout.items = try section(
      .items, old.items, touchedItems, { state.items[$0].map(RecordPlace.init) }, { "item \($0)" },
      { id in try state.items[id].map { ItemRecord($0, list: try state.listName(of: $0)) } })
    layout.reminders = try section(
      .reminders, old.reminders, changes.reminders, { state.reminders[$0].map(RecordPlace.init) },
      { "reminder \($0.text)" }, { state.reminders[$0].map(ReminderRecord.init) })
    layout.messages = try section(
      .messages, old.messages, changes.messages, { state.messages[$0].map(RecordPlace.init) },
      { "message \($0.text)" }, { state.messages[$0] })
    layout.deliveries = try section(
      .deliveries, old.deliveries, changes.deliveries, { state.deliveries[$0].map(RecordPlace.init) },
      { "delivery \($0)" },
      { id in state.deliveries[id].map { DeliveryRecord($0, state.attempts[id] ?? []) } })
    layout.answers = try section(
      .answers, old.answers, changes.answers, { state.answers[$0].map(RecordPlace.init) }, { "answer \($0)" },
      { state.answers[$0].map(AnswerRecord.init) })
    try output.closeStore(state.unknown)
    layout.listNames = state.lists.mapValues(\.name)
    layout.text = output.bytes
  }

  private func section<Key: Hashable & Sendable, Root: Record>(
    _ section: StoreHead.Field, _ old: [StoreLayout.Entry<Key>], _ touched: Set<Key>,
    _ place: (Key) -> RecordPlace?, _ words: (Key) -> String, _ record: (Key) throws -> Root?
  ) throws -> [StoreLayout.Entry<Key>] {
    var entries = touched.isEmpty ? old : old.filter { !touched.contains($0.key) }
    entries += touched.compactMap { key in
      place(key).map { StoreLayout.Entry(key: key, place: $0, range: 0..<0) }
    }
    // Cheap, as the entries are nearly sorted already.
    entries.sort { $0.place < $1.place }
    output.openSection(section.key)
    for (index, entry) in entries.enumerated() {
      output.separate(isFirst: index == 0)
      let start = output.count
      if !entry.range.isEmpty {
        self.old.text.withUnsafeBytes { output.copy(UnsafeRawBufferPointer(rebasing: $0[entry.range])) }
      } else if let record = try record(entry.key) {
        do {
          try Root.form.write(record, to: output)
        } catch let value as UnwritableValue {
          throw value.error(in: words(entry.key))
        }
      }
      entries[index] = StoreLayout.Entry(key: entry.key, place: entry.place, range: start..<output.count)
    }
    output.closeSection(isEmpty: entries.isEmpty)
    return entries
  }
}

extension StoreState {
  fileprivate func listName(of item: Item) throws -> String {
    guard let list = lists[item.listID] else {
      throw BelfryError(.internalError, "item \(item.id) is on a list that does not exist")
    }
    return list.name
  }

  /// The items of renamed lists: their records contain the old name.
  fileprivate func items(ofListsRenamedIn touched: Set<Int64>, from oldNames: [Int64: String]) -> [Int64] {
    let renamed = touched.filter { id in
      guard let name = lists[id]?.name, let oldName = oldNames[id] else { return false }
      return !name.utf8.elementsEqual(oldName.utf8)
    }
    return renamed.isEmpty ? [] : items.values.filter { renamed.contains($0.listID) }.map(\.id)
  }
}
