import BelfryCore
import FileStore
import Foundation
import MemoryStore

/// A store's file in JSON, as the README describes it: one record a line, in an order that does not depend on how it came
/// about, so that a diff shows what has changed.
///
/// `next_id` is the lowest number that no item has ever had, and 0 while there has been none. A record that has not
/// changed is copied as it stood; one that a hand has spread over several lines gets its line back. Keys that Belfry does
/// not know stay with their record. A key without a value is left out; `null` is read as none.
package struct JSONFormat: StoreFormat, LineFormat {
  package init() {}

  package func read(_ bytes: FileBytes, writtenAt: Date) throws(StoreFault) -> StoreContent {
    guard bytes.count > 0 else { throw .damaged(offset: 0, message: "the file is empty") }
    guard !bytes.isUTF16 else { throw .damaged(offset: 0, message: "is in UTF-16: save it in UTF-8") }
    var content = try StateBuilder.read(
      JSONScanner(bytes.buffer), likelyItems: bytes.count / Self.usualItemSize, writtenAt: writtenAt)
    content.layout.source = bytes
    return content
  }

  package func write(_ state: StoreState, changes: StateChanges, over layout: RecordLayout) throws -> WrittenStore {
    try StoreWriter(writer(over: layout.source)).write(state, changes: changes, over: layout)
  }

  package var lines: (any LineFormat)? { self }

  package func position(of offset: Int, in bytes: FileBytes) -> String { TextPosition.position(of: offset, in: bytes) }

  package var separator: StaticString { ",\n" }

  package func scanner(_ bytes: UnsafeRawBufferPointer) -> any RecordScanner { JSONScanner(bytes) }

  package func writer(over source: FileBytes) -> any RecordWriter { JSONRecordWriter(over: source) }

  // Bytes that an item takes with its reminder; only a guess at how much room to make.
  private static let usualItemSize = 500
}
