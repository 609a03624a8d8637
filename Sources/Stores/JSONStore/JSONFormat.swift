import BelfryModel
import FileStore
import FoundationEssentials
import MemoryStore

/// A store's file in JSON, as the README describes it: one record a line, in an order that does not depend on how it came
/// about, so that a diff shows what has changed.
///
/// `next_id` is the lowest number that no item has ever had, and 0 while there has been none. A record that has not
/// changed is copied as it stood; one that a hand has spread over several lines gets its line back. Keys that Belfry does
/// not know stay with their record. A key without a value is left out; `null` is read as none.
package struct JSONFormat: StoreFormat {
  package init() {}

  package func read(_ file: [UInt8], writtenAt: Date) throws(FormFault) -> StoreContent {
    guard !file.isEmpty else { throw FormFault(offset: 0, message: "the file is empty") }
    guard !file.isUTF16 else { throw FormFault(offset: 0, message: "is in UTF-16: save it in UTF-8") }
    return try StoreReader.read(
      file, likelyItems: file.count / Self.usualItemSize, writtenAt: writtenAt, scan: JSONScanner.init)
  }

  package func write(
    _ state: StoreState, changes: StateChanges, over layout: StoreLayout
  ) throws -> (file: [UInt8], layout: StoreLayout) {
    let output = JSONRecordOutput(capacity: layout.size + 4_096)
    let written = try StoreWriter.write(state, changes: changes, over: layout, to: output)
    return (output.bytes, written)
  }

  package func position(of offset: Int, in file: [UInt8]) -> String { TextPosition.position(of: offset, in: file) }

  // Bytes that an item takes with its reminder; only a guess at how much room to make.
  private static let usualItemSize = 500
}
