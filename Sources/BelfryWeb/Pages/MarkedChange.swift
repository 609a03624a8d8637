import BelfryEngine
import BelfryModel
import Digests
import WebAccess

/// The result of a change, with the mark by which a notice undoes this change and no other.
struct MarkedChange<Value: Sendable>: Sendable {
  let value: Value
  /// The mark; `nil` if there is nothing to undo.
  let mark: String?
}

extension StoreCalls {
  /// Makes a change in a visitor's name, as ``change(by:once:isLong:keeping:requiring:_:)`` does, and marks it.
  ///
  /// - Parameter way: the direction of the record that the change leaves: an undo leaves one for a redo.
  func markedChange<Value: Sendable>(
    by visitor: Access, leaving way: UndoRecord.Direction = .undo,
    requiring check: @escaping @Sendable (Sight) throws -> Void,
    _ body: @escaping @Sendable (Belfry) throws -> Value
  ) async throws -> MarkedChange<Value> {
    try await change(by: visitor, requiring: check) { belfry in
      // Nobody else changes anything within the transaction.
      let before = try belfry.newestRecord(way)
      let value = try body(belfry)
      let after = try belfry.newestRecord(way)
      return MarkedChange(value: value, mark: after == before ? nil : after?.mark)
    }
  }
}

extension Belfry {
  fileprivate func newestRecord(_ way: UndoRecord.Direction) throws -> UndoRecord? {
    try read { try $0.view.undoRecords(way).first }
  }
}

extension UndoRecord {
  /// A value that identifies the change.
  var mark: String {
    let text = "\(Int64(date.timeIntervalSince1970)) \(content)"
    return Base64URL.encode(SHA256.digest(Array(text.utf8)).prefix(12))
  }
}
