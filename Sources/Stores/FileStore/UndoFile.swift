import BelfryModel
import FoundationEssentials
import Glibc
import MemoryStore

/// How to undo the last change, in a file beside the store's: inside it each change would show twice in a diff.
struct UndoFile {
  let place: FilePlace

  /// What was kept last; nil where nothing was, or where it cannot be read.
  func read() -> UndoRecord? {
    let failures = FileFailures(path: place.undo)
    guard let bytes = try? FileContent(reading: place.undo, failures)?.bytes,
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let seconds = Int64(String(decoding: bytes[..<end], as: UTF8.self)),
      let content = String(validating: bytes[(end + 1)...], as: UTF8.self)
    else { return nil }
    return UndoRecord(date: Date(timeIntervalSince1970: Double(seconds)), content: content)
  }

  /// Keeps what a change says before the change itself is made: whoever undoes looks whether it was.
  ///
  /// Nothing is synced and no failure is told: a change that cannot be undone is better than none.
  func write(_ undo: UndoKeeping, mode: mode_t) {
    guard let record = undo.record, let seconds = Int64(exactly: record.date.timeIntervalSince1970.rounded(.down)),
      replace(with: Array("\(seconds)\n\(record.content)".utf8), mode: mode)
    else {
      // What is left there would undo something else.
      unlink(place.undo)
      return
    }
  }

  /// The same where the change is about to be made and may fail: what undoes the change before is kept aside until then.
  func exchange(for undo: UndoKeeping, mode: mode_t) {
    // A file system without hard links keeps none aside: then nothing can be undone after a change that failed.
    link(place.undo, place.undoOutgoing)
    write(undo, mode: mode)
  }

  /// The change was not made: what undoes the one before counts again.
  func takeBack() {
    if rename(place.undoOutgoing, place.undo) != 0 { unlink(place.undo) }
  }

  /// The change was made.
  func settle() { unlink(place.undoOutgoing) }

  private func replace(with bytes: [UInt8], mode: mode_t) -> Bool {
    unlink(place.undoDraft)
    let descriptor = open(place.undoDraft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode & 0o666)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard FileContent.write(bytes, to: descriptor) == 0, rename(place.undoDraft, place.undo) == 0 else {
      unlink(place.undoDraft)
      return false
    }
    return true
  }
}
