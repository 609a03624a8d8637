import BelfryModel
import FoundationEssentials
import Glibc
import MemoryStore

/// How a store's file is read and written: everything that ``FileStore`` does not know of a format.
package protocol StoreFormat: Sendable {
  /// Reads a whole file.
  ///
  /// - Parameter writtenAt: when the file was written.
  /// - Throws: ``FormFault`` at the first thing that is wrong.
  func read(_ file: [UInt8], writtenAt: Date) throws(FormFault) -> StoreContent

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - changes: what the state differs in from what the layout's file says.
  ///   - layout: how that file said it; empty where there is none.
  /// - Returns: the file, and how it says what it says.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot hold.
  func write(
    _ state: StoreState, changes: StateChanges, over layout: StoreLayout
  ) throws -> (file: [UInt8], layout: StoreLayout)

  /// The place of a byte, as part of a path: `:12:3`, or nothing where the format has no lines.
  func position(of offset: Int, in file: [UInt8]) -> String
}

/// The content of a store's file.
package struct StoreContent: Sendable {
  /// The state that it says.
  package var state: StoreState
  /// The indexes of the state.
  package var indexes: StateIndexes
  /// Where its records stand.
  package var layout: StoreLayout

  package init(state: StoreState, indexes: StateIndexes, layout: StoreLayout) {
    (self.state, self.indexes, self.layout) = (state, indexes, layout)
  }
}

/// Where the records of a file stand, so that those that nobody touches are copied.
package struct StoreLayout: Sendable {
  /// One record: where it stands among the others of its section, and the bytes that it takes, none where it has to be
  /// written anew.
  struct Entry<Key: Hashable & Sendable>: Sendable {
    let key: Key
    let place: RecordPlace
    let range: Range<Int>
  }

  /// The text that the ranges are of.
  var text: [UInt8] = []
  var lists: [Entry<Int64>] = []
  var items: [Entry<Int64>] = []
  var reminders: [Entry<UUID>] = []
  var messages: [Entry<UUID>] = []
  var deliveries: [Entry<Int64>] = []
  /// The lists' names, by which items refer to them.
  var listNames: [Int64: String] = [:]

  /// How many bytes the text has.
  package var size: Int { text.count }

  /// No file.
  package init() {}
}
