import BelfryModel
import FoundationEssentials
import Glibc

/// An advisory lock on a file. The kernel releases it when the process ends, however it ends.
///
/// For stores in a file: the lock file is next to it and holds the owner's process id, for messages, until the owner
/// releases the lock.
public final class FileLock: DaemonLock {
  /// True if the process id of the previous owner was still there.
  public let wasAbandoned: Bool
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - path: the lock file; created if missing and never removed, since removing it would race.
  ///   - purpose: the thing that the lock protects, for the message.
  ///   - model: the file whose group and mode the lock file gets, as far as this user may set them, so that everybody
  ///     who may write the model may take the lock. If `nil` or missing, the lock file is private to its creator.
  /// - Throws: ``BelfryError`` `.tryAgain` naming the process that holds it, `.cannotCreate`, `.noPermission`.
  public init(path: String, purpose: String, sharedLike model: String? = nil) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw BelfryError(
        code == EACCES || code == EROFS || code == EPERM ? .noPermission : .cannotCreate,
        "cannot make the lock file \(path): \(String(cString: strerror(code)))",
        hint: "check that the folder exists and that you may write to it")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let owner = Self.owner(descriptor)
      close(descriptor)
      throw BelfryError(
        .tryAgain, "\(purpose): another belfryd has it already\(owner.map { " (process \($0))" } ?? "")",
        hint: "stop that one first\(owner.map { ": kill \($0)" } ?? "")")
    }
    self.descriptor = descriptor
    wasAbandoned = !Self.note(descriptor).isEmpty
    if let model { Self.share(descriptor, like: model) }
    // The file is overwritten before it is truncated, since an empty file would say that the last owner has released
    // the lock.
    let text = "\(getpid())\n"
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    ftruncate(descriptor, off_t(text.utf8.count))
  }

  /// Releases the lock and removes the process id.
  public func release() {
    ftruncate(descriptor, 0)
    flock(descriptor, LOCK_UN)
  }

  /// Releases the lock and leaves the process id.
  public func abandon() { flock(descriptor, LOCK_UN) }

  deinit { close(descriptor) }

  // If the lock file cannot get the model's group, it is not opened to another group instead.
  private static func share(_ descriptor: Int32, like model: String) {
    var wanted = stat()
    var held = stat()
    guard stat(model, &wanted) == 0, fstat(descriptor, &held) == 0 else { return }
    if held.st_uid != wanted.st_uid || held.st_gid != wanted.st_gid,
      fchown(descriptor, wanted.st_uid, wanted.st_gid) != 0
    {
      _ = fchown(descriptor, uid_t.max, wanted.st_gid)
    }
    guard fstat(descriptor, &held) == 0 else { return }
    let mode = wanted.st_mode & (held.st_gid == wanted.st_gid ? 0o666 : 0o606)
    if held.st_mode & 0o7777 != mode { _ = fchmod(descriptor, mode) }
  }

  // The owner writes its process id right after taking the lock, so a missing id appears soon.
  private static func owner(_ descriptor: Int32) -> Int32? {
    for _ in 0..<100 {
      let note = note(descriptor)
      if note.hasSuffix("\n"), let owner = Int32(note.dropLast()) { return owner }
      sched_yield()
    }
    return nil
  }

  private static func note(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
