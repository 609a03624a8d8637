import BelfryModel
import FoundationEssentials
import Glibc

/// The bytes of a file or of standard input, read a piece at a time.
///
/// It is a class, so that a progress bar can see how much its reader has read.
package final class ByteSource {
  /// The number of bytes read so far.
  package private(set) var bytesRead = 0
  /// The number of bytes in all; `nil` for a pipe, whose size is unknown before its end.
  package let size: Int?

  /// Called before each piece is read; an error ends the reading.
  package var checkpoint: () throws -> Void = {}

  /// The bytes read; the bytes from `start` on are not used yet.
  private(set) var buffer: [UInt8]
  private(set) var start = 0
  private var descriptor: Int32?
  private let name: String

  private static let pieceSize = 1 << 16

  /// Bytes from an open descriptor, which the caller closes.
  ///
  /// - Parameter name: the file's name in messages.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    buffer = []
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(status.st_size) : nil
  }

  /// Bytes that are in memory.
  init(_ bytes: some Sequence<UInt8>) {
    buffer = Array(bytes)
    size = buffer.count
    bytesRead = buffer.count
    name = "memory"
  }

  /// The number of bytes read and not used yet.
  var waiting: Int { buffer.count - start }

  func use(_ count: Int) { start = min(buffer.count, start + max(0, count)) }

  /// Reads one more piece; false at the end.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` if the file cannot be read.
  func readMore() throws -> Bool {
    guard let descriptor else { return false }
    if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    let filled = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.pieceSize))
    while true {
      do { try checkpoint() } catch {
        buffer.removeLast(Self.pieceSize)
        throw error
      }
      let count = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), Self.pieceSize)
      }
      if count < 0, errno == EINTR { continue }
      let failure = errno
      buffer.removeLast(Self.pieceSize - max(0, count))
      guard count >= 0 else {
        throw BelfryError(.storeFailed, "\(name) cannot be read: \(String(cString: strerror(failure)))")
      }
      bytesRead += count
      if count == 0 { self.descriptor = nil }
      return count > 0
    }
  }

  /// The next `count` bytes without using them, or fewer at the end.
  ///
  /// - Throws: as ``readMore()``.
  func peek(_ count: Int) throws -> ArraySlice<UInt8> {
    while waiting < count, try readMore() {}
    return buffer[start..<min(buffer.count, start + count)]
  }

  /// Reads to the end.
  ///
  /// - Throws: as ``readMore()``, and ``BelfryError`` `.badInput` for more than 1 GiB.
  package func readAll() throws -> [UInt8] {
    while try readMore() {
      guard max(size ?? 0, waiting) <= 1 << 30 else {
        throw BelfryError(.badInput, "\(name) has more than 1 GiB", hint: "split it")
      }
    }
    defer { use(waiting) }
    return Array(buffer[start...])
  }
}
