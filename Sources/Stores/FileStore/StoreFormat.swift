import BelfryCore
import Foundation
import MemoryStore

/// How a store's file is read and written: everything that ``FileStore`` does not know of a format.
package protocol StoreFormat: Sendable {
  /// Reads a whole file.
  ///
  /// - Parameter writtenAt: when the file was written.
  /// - Throws: ``StoreFault`` at the first thing that is wrong.
  func read(_ bytes: [UInt8], writtenAt: Date) throws(StoreFault) -> StoreContent

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - changes: what the state differs in from what the layout's file says.
  ///   - layout: how that file said it; empty where there is none.
  /// - Returns: the file, and how it says it.
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the format cannot hold.
  func write(_ state: StoreState, changes: StateChanges, over layout: RecordLayout) throws -> (
    bytes: [UInt8], layout: RecordLayout
  )

  /// The place of a byte, as part of a path: `:12:3`, or nothing where the format has no lines.
  func position(of offset: Int, in bytes: [UInt8]) -> String
}
