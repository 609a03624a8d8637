import BelfryModel
import FoundationEssentials
import Glibc
import SystemFiles

/// The files that commands write, completely or not at all.
///
/// A file is written under another name in its folder, synced and renamed, so that no reader, and no crash, sees half
/// of a file. The name is new each time, since other programs may write the same file. A replaced file keeps its mode;
/// a symbolic link stays, and its target is replaced.
enum OutputFile {
  /// Writes a file, or standard output for `-`.
  ///
  /// - Parameter body: writes the content piece by piece; an error leaves the file unchanged.
  /// - Throws: ``BelfryError`` `.cannotCreate`, `.noPermission` or `.storeFailed`, and as `body`.
  static func write(_ path: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws {
    guard path != "-" else { return try body { try put($0, STDOUT_FILENO, "standard output") } }
    let target = resolved(path)
    var status = stat()
    let isThere = stat(target, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try writeThrough(target, body) }
    if isThere, faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0 { throw failure(path, errno) }
    try replace(target, mode: isThere ? status.st_mode & 0o7777 : nil, named: path, body)
  }

  // A device or a pipe cannot be replaced.
  private static func writeThrough(
    _ target: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let descriptor = open(target, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(target, errno) }
    defer { close(descriptor) }
    try body { try put($0, descriptor, target) }
  }

  private static func replace(
    _ target: String, mode: mode_t?, named path: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let start = target.utf8.lastIndex(of: UInt8(ascii: "/")).map(target.utf8.index(after:)) ?? target.startIndex
    let folder = String(target[..<start])
    // A name may be as long as the file system permits, in bytes.
    let name = String(decoding: target[start...].utf8.prefix(100), as: UTF8.self)
    var template = Array("\(folder).\(name).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(path, errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    defer { close(descriptor) }
    do {
      try body { try put($0, descriptor, path) }
      let mask = umask(0)
      umask(mask)
      guard fchmod(descriptor, mode ?? 0o666 & ~mask) == 0, fsync(descriptor) == 0, rename(template, target) == 0
      else { throw failure(path, errno) }
    } catch {
      unlink(template)
      throw error
    }
    try? OpenFile.sync(folder: folder.isEmpty ? "." : folder)
  }

  /// Writes all of these bytes to an open file.
  ///
  /// - Throws: as ``write(_:_:)``.
  static func put(_ bytes: [UInt8], _ descriptor: Int32, _ path: String) throws {
    try OpenFile.write(bytes, to: descriptor) { code in
      switch code {
      case EPIPE: throw OutputClosed()
      case EINTR: try Interruption.check()
      default: throw failure(path, code)
      }
    }
  }

  /// A path with its symbolic links resolved; the path itself if there is no file yet.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func failure(_ path: String, _ code: Int32) -> BelfryError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR, EISDIR, EROFS, ENAMETOOLONG:
      return BelfryError(.cannotCreate, "\(path) cannot be written: \(reason)", hint: "check the path")
    case EACCES, EPERM:
      return BelfryError(.noPermission, "\(path) cannot be written: \(reason)", hint: "check who may write there")
    default: return BelfryError(.storeFailed, "\(path) cannot be written: \(reason)")
    }
  }
}

/// The error of a pipe closed by its reader, such as `head`.
struct OutputClosed: Error {}
