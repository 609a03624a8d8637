import BelfryModel
import ByteOutput
import FileStore
import FoundationEssentials
import MemoryStore

/// The JSON format of a store's file, described in the README: one record on each line, in an order that depends only
/// on the content, so that a diff shows the changes.
///
/// `next_id` is the lowest number that no item has ever had, and 0 before the first item. An unchanged record is copied
/// byte for byte; one spread over several lines by hand is joined into one. Keys that Belfry does not know are kept
/// with their record. A key without a value is omitted; `null` is read as a missing key.
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
    return (written.text, written)
  }

  package func position(of offset: Int, in file: [UInt8]) -> String {
    file.withUnsafeBytes { TextPlace(of: offset, in: $0).suffix }
  }

  package func key(of field: StoreHead.Field) -> [UInt8] { Array("\"\(field.key.name)\":".utf8) }

  // Bytes of a typical item with its reminder; only used to reserve memory.
  private static let usualItemSize = 500
}
