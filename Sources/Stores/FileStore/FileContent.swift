import BelfryModel
import FoundationEssentials
import Glibc
import SystemFiles

/// A file's metadata. Equal metadata does not prove equal content: the file system's clock is coarse, and inode numbers
/// are reused.
struct FileStatus: Hashable, Sendable {
  let changed: Date
  /// The permissions, without the file's type.
  let mode: mode_t
  let owner: uid_t
  let group: gid_t
  private let device: UInt64
  private let node: UInt64
  private let size: Int64

  fileprivate init(_ status: stat) {
    changed = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    (mode, owner, group) = (status.st_mode & 0o7777, status.st_uid, status.st_gid)
    (device, node, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
  }

  /// The metadata of the file at a path; `nil` for none.
  init?(of path: String, _ failures: FileFailures) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failures.cannotOpen(errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
    self.init(status)
  }

  /// The modification time, in whole seconds.
  var modified: Date { Date(timeIntervalSince1970: changed.timeIntervalSince1970.rounded(.down)) }
}

/// A file as it was read or written.
struct FileContent: Sendable {
  let bytes: [UInt8]
  /// The digest of the bytes, by which contents are compared.
  let digest: ContentDigest
  let status: FileStatus

  /// The content of a file that was just written.
  init(_ bytes: [UInt8], written path: String, _ failures: FileFailures) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failures.cannotWrite(errno) }
    self.init(bytes, status)
  }

  /// Reads a file; `nil` for none.
  init?(reading path: String, _ failures: FileFailures) throws {
    // Opened without blocking, so that a pipe in the file's place does not hang the program.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failures.cannotOpen(errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failures.cannotOpen(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
    do throws(SystemCallFailure) {
      self.init(try OpenFile.read(descriptor, upTo: Int(status.st_size)), status)
    } catch {
      throw failures.cannotOpen(error.code)
    }
  }

  private init(_ bytes: [UInt8], _ status: stat) {
    self.bytes = bytes
    digest = ContentDigest(of: bytes)
    self.status = FileStatus(status)
  }
}

extension [UInt8] {
  /// True if the bytes look like UTF-16 text, by their first two.
  package var isUTF16: Bool {
    guard count >= 2 else { return false }
    switch (self[0], self[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): return true
    case (0, let byte), (let byte, 0): return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "<")
    default: return false
    }
  }
}
