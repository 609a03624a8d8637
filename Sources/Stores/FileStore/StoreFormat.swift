import BelfryModel
import FoundationEssentials
import Glibc
import MemoryStore

/// A file format of ``FileStore``: reads and writes a whole store.
package protocol StoreFormat: Sendable {
  /// Reads a whole file.
  ///
  /// - Parameter writtenAt: the file's modification time.
  /// - Throws: ``FormFault`` for the first fault.
  func read(_ file: [UInt8], writtenAt: Date) throws(FormFault) -> StoreContent

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - changes: the differences between the state and the file of the layout.
  ///   - layout: the layout of the file to replace; empty for none.
  /// - Returns: the file and its layout.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot represent.
  func write(
    _ state: StoreState, changes: StateChanges, over layout: StoreLayout
  ) throws -> (file: [UInt8], layout: StoreLayout)

  /// The place of a byte, as part of a path: `:12:3`, or empty if the format has no lines.
  func position(of offset: Int, in file: [UInt8]) -> String

  /// A key of the file itself as written in the text, by which its value is found in a damaged file.
  func key(of field: StoreHead.Field) -> [UInt8]
}

/// The content of a store's file.
package struct StoreContent: Sendable {
  var state: StoreState
  var indexes: StateIndexes
  /// The places of the records in the file.
  var layout: StoreLayout

  init(state: StoreState, indexes: StateIndexes, layout: StoreLayout) {
    (self.state, self.indexes, self.layout) = (state, indexes, layout)
  }
}

/// The places of records in a file, so that unchanged ones are copied.
package struct StoreLayout: Sendable {
  /// One record: its sort key, and its bytes in the file; an empty range for a record that must be written again.
  struct Entry<Key: Hashable & Sendable>: Sendable {
    let key: Key
    let place: RecordPlace
    let range: Range<Int>
  }

  /// The file that the ranges refer to.
  package internal(set) var text: [UInt8] = []
  var lists: [Entry<Int64>] = []
  var items: [Entry<Int64>] = []
  var reminders: [Entry<UUID>] = []
  var messages: [Entry<UUID>] = []
  var deliveries: [Entry<Int64>] = []
  var answers: [Entry<Int64>] = []
  /// The lists' names in the file, by which items refer to them.
  var listNames: [Int64: String] = [:]

  /// The size of the file, in bytes.
  package var size: Int { text.count }

  /// The layout of no file.
  init() {}
}
