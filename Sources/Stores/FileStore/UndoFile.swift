import BelfryModel
import FoundationEssentials
import Glibc
import MemoryStore
import SystemFiles

/// The undo records of the last changes, in a file of their own: in the store's file they would show each change twice in
/// a diff.
///
/// Each record is a line with its direction, its time in seconds since 1970 and the number of bytes of its content, then
/// that content and a line feed.
struct UndoFile {
  let place: FilePlace

  /// The stored undo records, up to one that cannot be read.
  func read() -> UndoTrail {
    let failures = FileFailures(path: place.undo)
    guard let content = try? FileContent(reading: place.undo, failures) else { return UndoTrail() }
    var (records, bytes) = ([UndoRecord](), content.bytes[...])
    while let record = UndoRecord(takenFrom: &bytes) { records.append(record) }
    return UndoTrail(records)
  }

  /// Writes or removes the undo records.
  ///
  /// It is not synced, and failures are ignored, since a change that cannot be undone is better than no change.
  func write(_ undo: UndoTrail, mode: mode_t) {
    let bytes = Array(undo.records.map(\.stored).joined().utf8)
    // The old records belong to other changes.
    if bytes.isEmpty || (try? replace(with: bytes, mode: mode)) == nil { unlink(place.undo) }
  }

  /// Writes the records before a change that may still fail. The previous ones are kept aside until ``settle()`` or
  /// ``takeBack()``.
  func exchange(for undo: UndoTrail, mode: mode_t) {
    // Without hard links none are kept aside, and nothing can be undone after a change that failed.
    link(place.undo, place.undoOutgoing)
    write(undo, mode: mode)
  }

  /// Restores the previous records after a change that failed.
  func takeBack() {
    if rename(place.undoOutgoing, place.undo) != 0 { unlink(place.undo) }
  }

  /// Drops the previous records after the change was made.
  func settle() { unlink(place.undoOutgoing) }

  private func replace(with bytes: [UInt8], mode: mode_t) throws(SystemCallFailure) {
    let draft = FileDraft(place.undoDraft)
    try draft.write(bytes, mode: mode & 0o666, isSynced: false)
    try draft.replace(place.undo)
  }
}

extension UndoRecord {
  /// The record as stored.
  fileprivate var stored: String {
    let word = direction == .undo ? "undo" : "redo"
    return "\(word) \(Int64(date.timeIntervalSince1970.rounded(.down))) \(content.utf8.count)\n\(content)\n"
  }

  /// Takes the first record from the bytes of a file; `nil` if none can be read.
  fileprivate init?(takenFrom bytes: inout ArraySlice<UInt8>) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    bytes = bytes[(end + 1)...]
    // A file of one record, as it was before several were kept: its time, and its content up to the end.
    if words.count == 1, let seconds = Int64(words[0]), let content = String(validating: bytes, as: UTF8.self) {
      bytes = []
      self.init(date: Date(timeIntervalSince1970: Double(seconds)), content: content)
      return
    }
    guard words.count == 3, let direction = ["undo": Direction.undo, "redo": .redo][words[0]],
      let seconds = Int64(words[1]), let count = Int(words[2]), count >= 0, count < bytes.count,
      let content = String(validating: bytes.prefix(count), as: UTF8.self)
    else { return nil }
    bytes = bytes.dropFirst(count + 1)
    self.init(date: Date(timeIntervalSince1970: Double(seconds)), content: content, direction: direction)
  }
}
