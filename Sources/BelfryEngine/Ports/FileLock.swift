import BelfryModel
import FoundationEssentials
import Glibc

/// An advisory lock on a file. The kernel releases it when the process ends, however it ends.
///
/// For stores that live in a file: the lock file stands beside it and holds the owner's process id for messages.
public final class FileLock: DaemonLock {
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
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw BelfryError(
        code == EACCES || code == EROFS || code == EPERM ? .noPermission : .cannotCreate,
        "cannot make the lock file \(path): \(String(cString: strerror(code)))",
        hint: "check that the folder exists and that you may write to it")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // The object is fully initialised here, so `deinit` closes the descriptor; closing it twice could close
      // another's.
      let owner = Self.owner(descriptor)
      throw BelfryError(
        .tryAgain, "\(purpose): another belfryd has it already\(owner.map { " (process \($0))" } ?? "")",
        hint: "stop that one first\(owner.map { ": kill \($0)" } ?? "")")
    }
    if let model { Self.share(descriptor, like: model) }
    let text = "\(getpid())\n"
    ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  /// Releases the lock.
  public func release() { flock(descriptor, LOCK_UN) }

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
      var buffer = [UInt8](repeating: 0, count: 32)
      let count = pread(descriptor, &buffer, buffer.count, 0)
      let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      if text.hasSuffix("\n"), let owner = Int32(text.dropLast()) { return owner }
      sched_yield()
    }
    return nil
  }
}
