import FoundationEssentials
import Glibc

/// Device, inode, size and modification time of a file; they change when the file is replaced or written.
package struct FileStamp: Hashable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// The stamp of the regular file at a path, following symbolic links; `nil` for none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }
}

/// Reads small files, such as the system's zone settings.
package enum SmallFile {
  private static let limit = 1 << 20

  /// The bytes of a regular file of at most 1 MiB, following symbolic links; `nil` if it cannot be read.
  package static func bytes(path: String) -> [UInt8]? {
    // Opened without blocking, so that a pipe in the file's place does not hang the program.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      return nil
    }
    return try? OpenFile.read(descriptor, upTo: Int(status.st_size))
  }

  /// The target of a symbolic link, as written in it; `nil` for anything but a link.
  package static func linkTarget(path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      return count > 0 ? String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self) : nil
    }
  }
}
