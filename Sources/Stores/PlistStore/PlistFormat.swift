import BelfryCore
import FileStore
import Foundation
import MemoryStore
import PropertyLists

/// A store's file as a property list, as the README describes it: in XML one record a line, or in the binary format.
///
/// Either is read, whichever is written. A binary file goes through its XML form, which also is what it is compared with
/// when it is written again: so records keep their order and what Belfry does not know, as they do in XML.
struct PlistFormat: StoreFormat, LineFormat {
  /// How the file is written.
  enum Encoding: String, CaseIterable, Sendable {
    /// Text, to read and to compare.
    case xml
    /// Bytes, smaller.
    case binary
  }

  let encoding: Encoding

  func read(_ bytes: FileBytes, writtenAt: Date) throws(StoreFault) -> StoreContent {
    switch PropertyListFormat(of: bytes.buffer) {
    case .xml: return try content(of: bytes, writtenAt)
    case .binary: return try contentOfBinary(bytes, writtenAt)
    case nil:
      let isEmpty = bytes.buffer.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
      throw .damaged(
        offset: 0,
        message: bytes.isUTF16
          ? "is in UTF-16: save it in UTF-8"
          : isEmpty ? "the file is empty" : "is no property list, neither XML nor binary")
    }
  }

  func write(_ state: StoreState, changes: StateChanges, over layout: RecordLayout) throws -> WrittenStore {
    let written = try StoreWriter(writer(over: layout.source)).write(state, changes: changes, over: layout)
    guard encoding == .binary else { return written }
    let text = written.layout.source
    return WrittenStore(
      image: FileImage(try PropertyList(parsing: text.buffer).binary()), layout: written.layout, sections: nil)
  }

  var lines: (any LineFormat)? { encoding == .xml ? self : nil }

  var separator: StaticString { "\n" }

  func scanner(_ bytes: UnsafeRawBufferPointer) -> any RecordScanner { PlistScanner(bytes) }

  func writer(over source: FileBytes) -> any RecordWriter { PlistRecordWriter(over: source) }

  func position(of offset: Int, in bytes: FileBytes) -> String {
    PropertyListFormat(of: bytes.buffer) == .binary ? "" : TextPosition.position(of: offset, in: bytes)
  }

  private func content(of text: FileBytes, _ writtenAt: Date) throws(StoreFault) -> StoreContent {
    var content = try StateBuilder.read(
      PlistScanner(text.buffer), likelyItems: text.count / Self.usualItemSize, writtenAt: writtenAt)
    content.layout.source = text
    return content
  }

  private func contentOfBinary(_ bytes: FileBytes, _ writtenAt: Date) throws(StoreFault) -> StoreContent {
    var text = Array(XMLPropertyList.prolog.utf8)
    do {
      try XMLPropertyList.append(PropertyList(parsing: bytes.buffer), to: &text)
    } catch let error as PropertyListError {
      throw .damaged(offset: error.offset, message: "\(error)")
    } catch let error as PropertyListWriteError {
      throw .damaged(offset: 0, message: error.message)
    } catch {
      throw .damaged(offset: 0, message: "\(error)")
    }
    text += "\n</plist>\n".utf8
    do {
      return try content(of: FileBytes(text), writtenAt)
    } catch .damaged(let offset, let message) {
      // A binary file has no lines: the words around the place have to do.
      let before = String(decoding: text[max(0, offset - 60)..<min(offset, text.count)], as: UTF8.self)
      throw .damaged(offset: 0, message: "\(message) (in XML behind \(shown(before)))")
    }
  }

  // Bytes that an item takes with its reminder; only a guess at how much room to make.
  private static let usualItemSize = 1_100
}
