import BelfryModel
import FoundationEssentials
import Glibc
import MemoryStore
import SystemFiles

/// The undo record of the last change, in a file of its own: in the store's file it would show each change twice in a
/// diff.
struct UndoFile {
  let place: FilePlace

  /// The stored undo record; `nil` where there is none, or it cannot be read.
  func read() -> UndoRecord? {
    let failures = FileFailures(path: place.undo)
    guard let bytes = try? FileContent(reading: place.undo, failures)?.bytes,
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let seconds = Int64(String(decoding: bytes[..<end], as: UTF8.self)),
      let content = String(validating: bytes[(end + 1)...], as: UTF8.self)
    else { return nil }
    return UndoRecord(date: Date(timeIntervalSince1970: Double(seconds)), content: content)
  }

  /// Writes or removes the undo record.
  ///
  /// It is not synced, and failures are ignored: a change that cannot be undone is better than no change.
  func write(_ undo: UndoKeeping, mode: mode_t) {
    guard let record = undo.record, let seconds = Int64(exactly: record.date.timeIntervalSince1970.rounded(.down)),
      (try? replace(with: Array("\(seconds)\n\(record.content)".utf8), mode: mode)) != nil
    else {
      // The old record belongs to another change.
      unlink(place.undo)
      return
    }
  }

  /// Writes the record before a change that may still fail. The previous record is kept aside until ``settle()`` or
  /// ``takeBack()``.
  func exchange(for undo: UndoKeeping, mode: mode_t) {
    // Without hard links none is kept aside, and nothing can be undone after a change that failed.
    link(place.undo, place.undoOutgoing)
    write(undo, mode: mode)
  }

  /// Restores the previous record after a change that failed.
  func takeBack() {
    if rename(place.undoOutgoing, place.undo) != 0 { unlink(place.undo) }
  }

  /// Drops the previous record after the change was made.
  func settle() { unlink(place.undoOutgoing) }

  private func replace(with bytes: [UInt8], mode: mode_t) throws(SystemCallFailure) {
    let draft = FileDraft(place.undoDraft)
    try draft.write(bytes, mode: mode & 0o666, isSynced: false)
    try draft.replace(place.undo)
  }
}
