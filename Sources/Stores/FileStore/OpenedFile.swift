import BelfryCore
import Foundation

/// What tells one content of a path from the next.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  /// In bytes.
  let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }

  /// The stamp that a line of text holds; nil where it is none.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: " ")
    guard parts.count == 5, let device = UInt64(parts[0]), let node = UInt64(parts[1]), let size = Int64(parts[2]),
      let seconds = Int(parts[3]), let nanoseconds = Int(parts[4])
    else { return nil }
    (self.device, self.node, self.size) = (device, node, size)
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// The stamp as a line of text.
  var text: String { "\(device) \(node) \(size) \(seconds) \(nanoseconds)" }

  /// When the content last changed, in whole seconds.
  var modified: Date { Date(timeIntervalSince1970: Double(seconds)) }

  /// When the content last changed, exactly.
  var changed: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }

  /// The stamp of what stands at a path; nil where nothing does.
  static func of(_ path: String, _ failures: FileFailures) throws -> FileStamp? {
    var status = stat()
    if stat(path, &status) == 0 { return FileStamp(status) }
    guard errno == ENOENT else { throw failures.cannotOpen(errno) }
    return nil
  }
}

/// A file that is kept open as long as its content is remembered: until then no other file can get its number, so equal
/// stamps mean equal content.
final class OpenedFile: Sendable {
  /// The stamp of the content that was read or written.
  let stamp: FileStamp
  /// Who may do what with it, and whose it is.
  let mode: mode_t
  let owner: uid_t
  let group: gid_t
  private let descriptor: Int32

  /// Takes over a file that has just been written.
  init(written descriptor: Int32, _ failures: FileFailures) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failures.cannotWrite(errno) }
    self.descriptor = descriptor
    stamp = FileStamp(status)
    (mode, owner, group) = (status.st_mode & 0o7777, status.st_uid, status.st_gid)
  }

  /// Opens a file to read it; nil where there is none.
  init?(reading path: String, _ failures: FileFailures) throws {
    // Without blocking, so that a pipe in the file's place cannot hold the program up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failures.cannotOpen(errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw failures.cannotOpen(code)
    }
    self.descriptor = descriptor
    stamp = FileStamp(status)
    (mode, owner, group) = (status.st_mode & 0o7777, status.st_uid, status.st_gid)
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
  }

  deinit { close(descriptor) }

  /// The content.
  func contents(_ failures: FileFailures) throws -> FileBytes {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failures.cannotOpen(errno) }
    return try FileBytes(count: Int(status.st_size)) { room in
      var filled = 0
      while filled < room.count {
        let count = pread(descriptor, room.baseAddress?.advanced(by: filled), room.count - filled, off_t(filled))
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw failures.cannotOpen(errno) }
        if count == 0 { break }
        filled += count
      }
      return filled
    }
  }
}
