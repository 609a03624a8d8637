import BelfryModel
import FoundationEssentials
import Glibc
import SystemFiles

/// A note of the content last written by Belfry, which reveals edits by other programs.
struct WriteNote: Sendable {
  let digest: ContentDigest
  let changed: Date

  /// The note as a line of text, with the time in seconds since 1970.
  fileprivate var text: String { "\(digest.text) \(changed.timeIntervalSince1970)\n" }

  /// Parses a line of text; `nil` for an invalid or incomplete one.
  fileprivate init?(_ line: String) {
    let parts = line.split(separator: " ")
    guard parts.count == 2, line.hasSuffix("\n"), let digest = ContentDigest(text: parts[0]),
      let seconds = Double(parts[1].dropLast())
    else { return nil }
    self.init(digest: digest, changed: Date(timeIntervalSince1970: seconds))
  }

  init(_ file: FileContent) { self.init(digest: file.digest, changed: file.status.changed) }

  private init(digest: ContentDigest, changed: Date) { (self.digest, self.changed) = (digest, changed) }
}

/// An exclusive lock for writing a store's file, which the kernel releases when the process ends.
///
/// Commands and the daemon hold it from before reading until their change is in place.
struct WriteLock {
  private let descriptor: Int32

  /// Waits for the lock, with growing pauses.
  ///
  /// - Parameters:
  ///   - model: the metadata of the store's file. The lock file takes over its mode and owners, so that every user who
  ///     may write the store may also lock it.
  ///   - seconds: the longest wait.
  /// - Throws: ``BelfryError`` `.tryAgain` after that time.
  init(_ place: FilePlace, like model: FileStatus?, waiting seconds: Double, _ failures: FileFailures) throws {
    var wait = LockWait(seconds: seconds)
    while true {
      if let descriptor = try Self.attempt(place.writeLock, like: model, failures) {
        self.descriptor = descriptor
        return
      }
      guard wait.goOn() else { throw failures.locked() }
    }
  }

  func release() { close(descriptor) }

  /// Records the content as written by Belfry. If this fails, the content counts as an edit by another program and is
  /// planned once more, needlessly.
  func note(_ file: FileContent) {
    ftruncate(descriptor, 0)
    _ = WriteNote(file).text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  /// The note of the content last written by Belfry; `nil` for none.
  static func note(at place: FilePlace) -> WriteNote? {
    let descriptor = open(place.writeLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    return WriteNote(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
  }

  private static func attempt(_ path: String, like model: FileStatus?, _ failures: FileFailures) throws -> Int32? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failures.cannotWrite(errno, at: path) }
    let isTaken: Bool
    do throws(SystemCallFailure) {
      isTaken = try LockWait.take(descriptor)
    } catch {
      close(descriptor)
      throw failures.cannotWrite(error.code, at: path)
    }
    var held = stat()
    var current = stat()
    guard isTaken, fstat(descriptor, &held) == 0, stat(path, &current) == 0, held.st_ino == current.st_ino,
      held.st_dev == current.st_dev
    else {
      // Another process has the lock; or the lock file was removed or replaced meanwhile, and a lock on it would
      // exclude no one.
      close(descriptor)
      return nil
    }
    if let model { share(descriptor, held, like: model) }
    return descriptor
  }

  // Done as far as this user may; otherwise the lock file keeps its owners and mode.
  private static func share(_ descriptor: Int32, _ held: stat, like model: FileStatus) {
    if held.st_uid != model.owner || held.st_gid != model.group { _ = fchown(descriptor, model.owner, model.group) }
    let mode = model.mode & 0o666
    if held.st_mode & 0o7777 != mode { _ = fchmod(descriptor, mode) }
  }
}
