import FoundationEssentials
import Glibc
import SystemFiles

/// The path of a store's file, and the paths of the files next to it.
struct FilePlace: Sendable {
  /// The path in the config, for messages.
  let named: String
  /// The path with symbolic links resolved; the file need not exist.
  let file: String
  /// The folder of the file.
  let folder: String

  /// Resolves the links at a path, whether or not the file exists.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` for a cycle of links.
  init(_ path: String) throws {
    named = path
    guard let end = SymbolicLinks.end(of: path) else { throw FileFailures(path: path).cannotOpen(ELOOP) }
    file = end
    folder = SymbolicLinks.folder(of: end)
  }

  /// The state before the last change, which is always complete.
  var backup: String { "\(file).bak" }
  /// The file that a writer locks. It is never removed.
  var writeLock: String { "\(file).write-lock" }
  /// The file that the daemon locks. It is never removed.
  var daemonLock: String { "\(file).lock" }
  /// The next state while it is written. It is only created under the write lock, so without a holder of the lock it
  /// was left behind by a killed program.
  var draft: String { "\(folder)/.\(name).new" }
  /// The current state on its way to becoming the backup; left behind like ``draft``.
  var outgoing: String { "\(folder)/.\(name).old" }

  /// The undo records of the last changes.
  var undo: String { "\(file).undo" }
  /// The undo records while they are written; left behind like ``draft``.
  var undoDraft: String { "\(folder)/.\(name).undo.new" }
  /// The undo records before a change, until the new ones are in place; left behind like ``draft``.
  var undoOutgoing: String { "\(folder)/.\(name).undo.old" }

  /// The files that only a killed program leaves behind.
  var litter: [String] { [draft, outgoing, undoDraft, undoOutgoing] }

  private var name: String {
    file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[$0...].dropFirst()) } ?? file
  }

  /// Creates the folder, accessible to this user only, if it does not exist.
  func makeFolder() throws {
    if let code = PrivateFolder.make(at: folder) { throw FileFailures(path: named).cannotMake(folder, code) }
  }
}
