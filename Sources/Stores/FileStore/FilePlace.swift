import FoundationEssentials
import Glibc
import SystemFiles

/// Where a store's file really is, and the files that stand beside it.
struct FilePlace: Sendable {
  /// The path that the user named, for messages.
  let named: String
  /// The path behind all symbolic links; it need not exist.
  let file: String
  /// The folder of the file.
  let folder: String

  /// Follows the links at a path, also to a file that is not there yet.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` where links lead in a circle.
  init(_ path: String) throws {
    named = path
    guard let end = SymbolicLinks.end(of: path) else { throw FileFailures(path: path).cannotOpen(ELOOP) }
    file = end
    folder = SymbolicLinks.folder(of: end)
  }

  /// The state before the last change, always one that was whole.
  var backup: String { "\(file).bak" }
  /// What whoever changes the file holds a lock on; it stays.
  var writeLock: String { "\(file).write-lock" }
  /// What the daemon holds a lock on; it stays.
  var daemonLock: String { "\(file).lock" }
  /// The next state while it is written. Only the holder of the write lock makes one, so one that is there without it
  /// was left by a program that was killed.
  var draft: String { "\(folder)/.\(name).new" }
  /// The present state on its way to become the backup; litter like ``draft``.
  var outgoing: String { "\(folder)/.\(name).old" }

  /// How to undo the last change.
  var undo: String { "\(file).undo" }
  /// The same while it is written; litter like ``draft``.
  var undoDraft: String { "\(folder)/.\(name).undo.new" }
  /// How to undo the change before, until the new one is in place; litter like ``draft``.
  var undoOutgoing: String { "\(folder)/.\(name).undo.old" }

  /// Everything that only a killed program leaves behind.
  var litter: [String] { [draft, outgoing, undoDraft, undoOutgoing] }

  private var name: String {
    file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[$0...].dropFirst()) } ?? file
  }

  /// Makes the folder, for this user alone, where it is not there.
  func makeFolder() throws {
    if let code = PrivateFolder.make(at: folder) { throw FileFailures(path: named).cannotMake(folder, code) }
  }
}
