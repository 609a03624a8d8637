import Glibc

/// A file written under a name that other programs pass over, before it takes its place.
struct StagedFile {
  /// Its path; it ends in `.tmp`, which the vdir format tells readers to ignore.
  let path: String

  /// Writes the whole content.
  ///
  /// - Parameter isSynced: whether to wait for the disk.
  /// - Throws: ``BelfryError``; then there is no file.
  func write(_ bytes: [UInt8], mode: mode_t, isSynced: Bool, _ failures: VdirFailures) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failures.cannotWrite(path, errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failed(failures) }
      rest = rest.dropFirst(count)
    }
    if mode != 0o600 { fchmod(descriptor, mode) }
    guard !isSynced || fsync(descriptor) == 0 else { throw failed(failures) }
  }

  private func failed(_ failures: VdirFailures) -> any Error {
    let code = errno
    unlink(path)
    return failures.cannotWrite(path, code)
  }
}
