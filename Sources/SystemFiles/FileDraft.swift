import Glibc

/// A temporary file that is written next to another and then replaces it atomically, so that no reader, and no crash,
/// sees a part of it.
///
/// The caller ensures that no other program writes the same draft. An existing draft was left by a killed program.
package struct FileDraft {
  /// Its path, in the folder of the file that it replaces.
  package let path: String

  /// A draft at this path; see ``write(_:mode:isSynced:_:)``.
  package init(_ path: String) { self.path = path }

  /// Writes the whole draft; after a failure there is none.
  ///
  /// - Parameters:
  ///   - mode: the mode of the new file, which the process's mask restricts.
  ///   - isSynced: whether to wait for the disk.
  ///   - prepare: called with the descriptor of the empty file, to set its owner for example.
  package func write(
    _ bytes: [UInt8], mode: mode_t = 0o600, isSynced: Bool,
    _ prepare: (_ descriptor: Int32) throws(SystemCallFailure) -> Void = { _ in }
  ) throws(SystemCallFailure) {
    remove()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    try SystemCallFailure.check(descriptor)
    defer { close(descriptor) }
    do throws(SystemCallFailure) {
      try prepare(descriptor)
      try OpenFile.write(bytes, to: descriptor)
      // A failed sync must not be retried, since the kernel may have dropped the pages that it could not write.
      if isSynced { try SystemCallFailure.check(fsync(descriptor)) }
    } catch {
      remove()
      throw error
    }
  }

  /// Renames it over a file; after a failure there is no draft.
  package func replace(_ file: String) throws(SystemCallFailure) {
    guard rename(path, file) != 0 else { return }
    let failure = SystemCallFailure(code: errno)
    remove()
    throw failure
  }

  package func remove() { unlink(path) }
}
