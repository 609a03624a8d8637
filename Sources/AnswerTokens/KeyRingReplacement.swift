import Glibc
import SystemFiles

/// A system call that failed.
struct SystemCallFailure: Error {
  let code: Int32

  /// Throws for a result below zero.
  static func check(_ result: Int32) throws(SystemCallFailure) {
    if result < 0 { throw SystemCallFailure(code: errno) }
  }
}

/// Puts a new content in the key file's place, all or nothing, one program at a time.
final class KeyRingReplacement {
  private static let patience: Int32 = 2_000
  private static let pause: Int32 = 10

  private let file: String
  private var lockDescriptor: Int32 = -1

  /// - Parameter file: its path behind all symbolic links.
  init(file: String) { self.file = file }

  /// Waits two seconds at most for the lock.
  func lock() throws(SystemCallFailure) {
    lockDescriptor = open("\(file).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    try SystemCallFailure.check(lockDescriptor)
    takeOver(lockDescriptor)
    var left = Self.patience
    while flock(lockDescriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR, left > 0 else {
        unlock()
        throw SystemCallFailure(code: code)
      }
      poll(nil, 0, Self.pause)
      left -= Self.pause
    }
  }

  /// Gives the lock back.
  func unlock() {
    if lockDescriptor >= 0 { close(lockDescriptor) }
    lockDescriptor = -1
  }

  /// Writes the content beside the file, syncs it and renames it into place; only while locked.
  func replace(with bytes: [UInt8]) throws(SystemCallFailure) {
    let draft = "\(file).new"
    // A draft that stands there while this program has the lock was left by one that was killed.
    unlink(draft)
    do throws(SystemCallFailure) {
      try write(bytes, to: draft)
      try SystemCallFailure.check(rename(draft, file))
    } catch {
      unlink(draft)
      throw error
    }
    try syncFolder()
  }

  private func write(_ bytes: [UInt8], to draft: String) throws(SystemCallFailure) {
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    try SystemCallFailure.check(descriptor)
    defer { close(descriptor) }
    takeOver(descriptor)
    try SystemCallFailure.check(fchmod(descriptor, 0o600))
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      try SystemCallFailure.check(Int32(truncatingIfNeeded: count))
      written += count
    }
    try SystemCallFailure.check(fsync(descriptor))
  }

  // The file keeps its owner, so that root can rotate the keys of a daemon's user.
  private func takeOver(_ descriptor: Int32) {
    var status = stat()
    if stat(file, &status) == 0, status.st_uid != geteuid() { _ = fchown(descriptor, status.st_uid, status.st_gid) }
  }

  private func syncFolder() throws(SystemCallFailure) {
    let descriptor = open(SymbolicLinks.folder(of: file), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try SystemCallFailure.check(descriptor)
    defer { close(descriptor) }
    // Some network file systems have no sync for folders, and say so with EINVAL.
    if fsync(descriptor) != 0, errno != EINVAL { throw SystemCallFailure(code: errno) }
  }
}
