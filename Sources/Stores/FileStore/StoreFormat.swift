import BelfryCore
import Foundation
import MemoryStore

/// How a store's file is read and written: everything that ``FileStore`` does not know of a format.
package protocol StoreFormat: Sendable {
  /// Reads a whole file.
  ///
  /// - Parameter writtenAt: when the file was written.
  /// - Throws: ``StoreFault`` at the first thing that is wrong.
  func read(_ bytes: FileBytes, writtenAt: Date) throws(StoreFault) -> StoreContent

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - changes: what the state differs in from what the layout's file says.
  ///   - layout: how that file said it; empty where there is none.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot hold.
  func write(_ state: StoreState, changes: StateChanges, over layout: RecordLayout) throws -> WrittenStore

  /// The format's records, one a line, where its files consist of lines.
  var lines: (any LineFormat)? { get }

  /// The place of a byte, as part of a path: `:12:3`, or nothing where the format has no lines.
  func position(of offset: Int, in bytes: FileBytes) -> String
}

/// A format whose files have one record a line.
package protocol LineFormat: Sendable {
  /// What stands between two records; a line feed ends it.
  var separator: StaticString { get }
  /// Finds records in a file.
  func scanner(_ bytes: UnsafeRawBufferPointer) -> any RecordScanner
  /// Writes a file that takes over parts of another one.
  func writer(over source: FileBytes) -> any RecordWriter
}

/// A file that is to be written.
package struct WrittenStore: Sendable {
  /// The file.
  package let image: FileImage
  /// How it says what it says.
  package let layout: RecordLayout
  /// Where its sections are, where it consists of lines.
  package let sections: SectionTable?

  package init(image: FileImage, layout: RecordLayout, sections: SectionTable?) {
    (self.image, self.layout, self.sections) = (image, layout, sections)
  }

  /// What is to be noted of its lines: nothing where it holds something beside them that has to stay.
  var lines: NotedLines? {
    guard let sections, layout.extras[.store] == nil else { return nil }
    return NotedLines(sections: sections, checksum: image.checksum)
  }
}
