import BelfryModel
import Digests
import Glibc
import Hummingbird
import NIOCore
import SystemFiles

/// An unnamed file, for content that is too long for memory. It is deleted when its last user releases it.
final class TransferFile: Sendable {
  private let descriptor: Int32

  /// An empty file.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  init() throws(BelfryError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/belfry-web-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Self.failure("made") }
    unlink(template)
  }

  /// A file with the body of a request.
  ///
  /// - Throws: ``Problem`` 413 if it is too long.
  convenience init(_ body: RequestBody, upTo most: Int) async throws {
    try self.init()
    var count = 0
    for try await piece in body {
      count += piece.readableBytes
      guard count <= most else {
        throw Problem(.contentTooLarge, "the request's body is longer than \(most) bytes", hint: "split the file")
      }
      try write(piece.readableBytesView)
    }
  }

  deinit { close(descriptor) }

  /// Adds bytes at the end.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  func write(_ bytes: some Collection<UInt8>) throws(BelfryError) {
    do throws(SystemCallFailure) {
      try OpenFile.write(Array(bytes), to: descriptor)
    } catch {
      throw Self.failure("written", error.code)
    }
  }

  /// Calls `body` with a descriptor at the start of the file, which is valid only during the call.
  func reading<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    lseek(descriptor, 0, SEEK_SET)
    return try body(descriptor)
  }

  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// All bytes as a text; `nil` if there are more than `most`.
  func text(upTo most: Int) -> String? {
    let size = size
    guard size <= most else { return nil }
    return String(decoding: bytes(at: 0, size), as: UTF8.self)
  }

  /// The file as the body of a response.
  var body: ResponseBody {
    let size = size
    return ResponseBody(contentLength: size) { [self] writer in
      var offset = 0
      while offset < size {
        let piece = bytes(at: offset, min(Self.piece, size - offset))
        guard !piece.isEmpty else { break }
        try await writer.write(ByteBuffer(bytes: piece))
        offset += piece.count
      }
      try await writer.finish(nil)
    }
  }

  /// A digest of all bytes.
  func digest() -> [UInt8] {
    var hash = HMACSHA256(key: Array("belfry transfer".utf8))
    for offset in stride(from: 0, to: size, by: Self.piece) { hash.update(bytes(at: offset, Self.piece)) }
    return hash.finish()
  }

  private static let piece = 1 << 16

  private func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }

  private static func failure(_ verb: String, _ code: Int32 = errno) -> BelfryError {
    BelfryError(
      .cannotCreate, "a file for the transfer cannot be \(verb): \(String(cString: strerror(code)))",
      hint: "make room, or set TMPDIR to a folder that has some")
  }
}
