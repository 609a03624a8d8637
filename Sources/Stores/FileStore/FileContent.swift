import BelfryModel
import FoundationEssentials
import Glibc

/// The file system's data about a file. Equal ones may belong to different contents: its clock moves in steps, and it
/// gives the numbers of removed files to new ones.
struct FileStatus: Hashable, Sendable {
  /// When the content last changed.
  let changed: Date
  /// The permissions and the owners.
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

  /// The file at a path; nil where there is none.
  init?(of path: String, _ failures: FileFailures) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failures.cannotOpen(errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
    self.init(status)
  }

  /// When the content last changed, in whole seconds.
  var modified: Date { Date(timeIntervalSince1970: changed.timeIntervalSince1970.rounded(.down)) }
}

/// A file as it was read or written.
struct FileContent: Sendable {
  /// The bytes.
  let bytes: [UInt8]
  /// The digest of the bytes, which tells this content from any other.
  let digest: ContentDigest
  /// The file system's data about it.
  let status: FileStatus

  /// A file that has just been written.
  init(_ bytes: [UInt8], written descriptor: Int32, _ failures: FileFailures) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failures.cannotWrite(errno) }
    self.init(bytes, status)
  }

  /// Reads a file; nil where there is none.
  init?(reading path: String, _ failures: FileFailures) throws {
    // Without blocking, so that a pipe in the file's place cannot hold the program up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failures.cannotOpen(errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failures.cannotOpen(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
    self.init(try Self.bytes(of: descriptor, Int(status.st_size), failures), status)
  }

  private init(_ bytes: [UInt8], _ status: stat) {
    self.bytes = bytes
    digest = ContentDigest(of: bytes)
    self.status = FileStatus(status)
  }

  private static func bytes(of descriptor: Int32, _ size: Int, _ failures: FileFailures) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: size) { room, filled in
      while filled < size {
        let count = pread(descriptor, room.baseAddress?.advanced(by: filled), size - filled, off_t(filled))
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw failures.cannotOpen(errno) }
        if count == 0 { break }
        filled += count
      }
    }
  }

  /// Writes bytes to a descriptor, from where that stands.
  ///
  /// - Returns: 0, or the `errno` of the call that failed.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count >= 0 { written += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }
}

extension [UInt8] {
  /// Whether they are text in UTF-16, going by how they start.
  package var isUTF16: Bool {
    guard count >= 2 else { return false }
    switch (self[0], self[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): return true
    case (0, let byte), (let byte, 0): return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "<")
    default: return false
    }
  }
}
