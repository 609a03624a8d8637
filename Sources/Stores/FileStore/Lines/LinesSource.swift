import BelfryCore
import Foundation
import MemoryStore

/// A file that Belfry itself has written last, of which a transaction reads what it needs.
final class LinesSource: StateSource {
  private(set) var lines: RecordLines
  private let readEverything: () throws -> StoreContent
  /// Everything, once it was read.
  private(set) var content: StoreContent?
  /// The items and reminders that were read, where they stand.
  private(set) var items: [Int64: Range<Int>] = [:]
  private(set) var reminders: [UUID: Range<Int>] = [:]
  /// How the file says what was read.
  private(set) var layout: RecordLayout
  /// Whether the messages and deliveries were read.
  private(set) var hasOutbox = false

  /// A file of lines.
  ///
  /// - Parameter readEverything: reads the whole file.
  init(_ lines: RecordLines, readEverything: @escaping () throws -> StoreContent) {
    self.lines = lines
    self.readEverything = readEverything
    layout = lines.builder.layout
  }

  /// The counters, the zone and the lists.
  var front: StoreState { lines.builder.state }

  func load(_ part: StatePart) throws -> StoreState? {
    do {
      return try found(part)
    } catch {
      // Reading everything tells what is wrong, and where.
      return nil
    }
  }

  func loadEverything() throws -> (state: StoreState, indexes: StateIndexes) {
    let content = try content ?? readEverything()
    self.content = content
    return (content.state, content.indexes)
  }

  private func found(_ part: StatePart) throws(StoreFault) -> StoreState? {
    var state = StoreState()
    switch part {
    case .item(let id):
      // Someone may have written its line in another way: then only reading all of them tells.
      guard let line = try lines.item(id: id) else { return nil }
      take(line, into: &state)
    case .lastItem(let listID):
      if let line = try lines.lastItem(listID: listID) { take(line, into: &state) }
    case .reminders(let owner):
      for line in try lines.reminders(of: owner) {
        state.reminders[line.record.id] = line.record
        reminders[line.record.id] = line.range
        if let extra = line.extra { layout.extras[.reminder(line.record.id)] = extra }
      }
    case .outbox:
      let outbox = try lines.outbox()
      (state.messages, state.deliveries) = (outbox.state.messages, outbox.state.deliveries)
      state.attempts = outbox.state.attempts
      (layout.messages, layout.deliveries) = (outbox.layout.messages, outbox.layout.deliveries)
      layout.extras.merge(outbox.layout.extras) { known, _ in known }
      hasOutbox = true
    }
    return state
  }

  private func take(_ line: RecordLine<Item>, into state: inout StoreState) {
    state.items[line.record.id] = line.record
    items[line.record.id] = line.range
    if let extra = line.extra { layout.extras[.item(line.record.id)] = extra }
  }

  /// Where a record with this place belongs in its section.
  func offset(of place: RecordPlace, in section: HeadField) throws -> Int {
    try lines.offset(of: place, in: section)
  }
}
