import BelfryModel
import ByteOutput
import FileStore
import FoundationEssentials
import MemoryStore
import PlistRecords
import PropertyLists

/// The property list format of a store's file, described in the README: XML with one record on each line, or binary.
///
/// Both encodings are read, whichever one is written. A binary file is converted to XML for reading and writing, so
/// that records keep their order and unknown keys as they do in XML.
struct PlistFormat: StoreFormat {
  /// The encoding of the file.
  enum Encoding: String, CaseIterable, Sendable {
    case xml
    /// The binary format, which is smaller.
    case binary
  }

  let encoding: Encoding

  func read(_ file: [UInt8], writtenAt: Date) throws(FormFault) -> StoreContent {
    switch PropertyListFormat(of: file) {
    case .xml: return try content(of: file, writtenAt)
    case .binary: return try contentOfBinary(file, writtenAt)
    case nil:
      let isEmpty = file.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
      throw FormFault(
        offset: 0,
        message: file.isUTF16
          ? "is in UTF-16: save it in UTF-8"
          : isEmpty ? "the file is empty" : "is not a property list, neither XML nor binary")
    }
  }

  func write(
    _ state: StoreState, changes: StateChanges, over layout: StoreLayout
  ) throws -> (file: [UInt8], layout: StoreLayout) {
    let output = PlistRecordOutput(capacity: layout.size + 4_096)
    let written = try StoreWriter.write(state, changes: changes, over: layout, to: output)
    return (encoding == .xml ? output.bytes : try PropertyList(parsing: output.bytes).binary(), written)
  }

  func position(of offset: Int, in file: [UInt8]) -> String {
    PropertyListFormat(of: file) == .binary ? "" : file.withUnsafeBytes { TextPlace(of: offset, in: $0).suffix }
  }

  func key(of field: StoreHead.Field) -> [UInt8] {
    Array(PlistNames.all[StoreHead.kind.number][field.rawValue])
  }

  private func content(of text: [UInt8], _ writtenAt: Date) throws(FormFault) -> StoreContent {
    try StoreReader.read(
      text, likelyItems: text.count / Self.usualItemSize, writtenAt: writtenAt, scan: PlistScanner.init)
  }

  private func contentOfBinary(_ file: [UInt8], _ writtenAt: Date) throws(FormFault) -> StoreContent {
    var text = Array(XMLPropertyList.prolog.utf8)
    do {
      try XMLPropertyList.append(PropertyList(parsing: file), to: &text)
    } catch let error as PropertyListError {
      throw FormFault(offset: error.offset, message: "\(error)")
    } catch let error as PropertyListWriteError {
      throw FormFault(offset: 0, message: error.message)
    } catch {
      throw FormFault(offset: 0, message: "\(error)")
    }
    text += "\n</plist>\n".utf8
    do {
      return try content(of: text, writtenAt)
    } catch {
      if case .newer = error.reason { throw error }
      // A binary file has no lines, so the message quotes the text around the place.
      let before = String(
        decoding: text[max(0, error.offset - 60)..<min(error.offset, text.count)], as: UTF8.self)
      throw FormFault(offset: 0, message: "\(error.message) (in XML, after \(shown(before)))")
    }
  }

  // Bytes of a typical item with its reminder; only used to reserve memory.
  private static let usualItemSize = 1_100
}
