import BelfryModel
import FoundationEssentials
import Glibc
import Interchange

/// The files that commands read.
enum InputFile {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, `.noPermission` or `.storeFailed`.
  static func read(_ path: String) throws -> [UInt8] {
    try stream(path) { try $0.readAll() }
  }

  /// Opens a file, or standard input for `-`, to read it a piece at a time.
  ///
  /// - Throws: as ``read(_:)`` and `body`.
  static func stream<Result>(_ path: String, _ body: (ByteSource) throws -> Result) throws -> Result {
    if path == "-" { return try body(ByteSource(descriptor: STDIN_FILENO, name: "standard input")) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
    return try body(ByteSource(descriptor: descriptor, name: path))
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
