import BelfryCore
import FoundationEssentials
import Glibc
import Interchange

/// The files that commands read.
enum InputFile {
  /// The largest file that is read at once, in bytes.
  static let limit = 1 << 30

  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, `.noPermission` or `.storeFailed`.
  static func read(_ path: String) throws -> [UInt8] {
    try stream(path) { source in
      guard source.size ?? 0 <= limit else {
        throw BelfryError(.badInput, "\(path) has more than 1 GiB", hint: "split it")
      }
      return try source.readAll()
    }
  }

  /// Opens a file, or standard input for `-`, to be read a piece at a time.
  ///
  /// - Throws: as ``read(_:)`` and `body`.
  static func stream<Result>(_ path: String, _ body: (ByteSource) throws -> Result) throws -> Result {
    if path == "-" { return try body(ByteSource(descriptor: STDIN_FILENO, name: "standard input")) }
    let (descriptor, _) = try open(path)
    defer { close(descriptor) }
    return try body(ByteSource(descriptor: descriptor, name: path))
  }

  private static func open(_ path: String) throws -> (descriptor: Int32, size: Int) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : errno
      close(descriptor)
      throw failure(path, code)
    }
    return (descriptor, Int(status.st_size))
  }

  private static func failure(_ path: String, _ code: Int32) -> BelfryError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR, EISDIR: return BelfryError(.notFound, "\(path): \(reason)", hint: "check the path")
    case EACCES, EPERM: return BelfryError(.noPermission, "\(path): \(reason)", hint: "check who owns the file")
    default: return BelfryError(.storeFailed, "\(path): \(reason)")
    }
  }
}
