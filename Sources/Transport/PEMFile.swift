import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc

/// A PEM file of certificates or a private key, which the TLS library itself opens.
///
/// The library would wait forever for a pipe at this path, and cannot ask for a passphrase, so the file is checked
/// before it is used.
public struct PEMFile: Hashable, Sendable {
  /// Longer files are not read.
  private static let longest = 16_777_216

  /// The absolute path, for libcurl.
  public let path: String

  /// The file at a path, not yet checked.
  package init(_ path: String) { self.path = path }

  /// Checks that it is a regular file that this process may read.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, `.noPermission` or `.badConfig`, with the file's name.
  package func checkPlace() throws(BelfryError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.badConfig, "is not a regular file") }
    guard access(path, R_OK) == 0 else { throw unreadable(errno) }
  }

  /// Checks its content as well.
  ///
  /// - Throws: ``BelfryError`` as ``checkPlace()``, and `.badConfig` for a file that is not PEM or needs a passphrase.
  public func check() throws(BelfryError) {
    try checkPlace()
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= Self.longest,
      let bytes = FileManager.default.contents(atPath: path)
    else { return }
    guard bytes.firstRange(of: "-----BEGIN ".utf8) != nil else { throw failure(.badConfig, "is not PEM") }
    // The marks of an encrypted key: PKCS #8 and the older format.
    let marks = ["BEGIN ENCRYPTED PRIVATE KEY", "Proc-Type: 4,ENCRYPTED"]
    guard !marks.contains(where: { bytes.firstRange(of: $0.utf8) != nil }) else {
      throw failure(
        .badConfig, "needs a passphrase, which belfryd cannot ask for",
        hint: "write the key without one into a file of mode 600: openssl pkey -in \(path) -out FILE")
    }
  }

  private func unreadable(_ code: Int32) -> BelfryError {
    let kind: BelfryError.Kind = code == EACCES || code == EPERM ? .noPermission : .notFound
    return failure(kind, "cannot be read: \(String(cString: strerror(code)))")
  }

  private func failure(_ kind: BelfryError.Kind, _ what: String, hint: String? = nil) -> BelfryError {
    BelfryError(kind, "the file \(inQuotes(path)) \(what)", hint: hint)
  }
}

extension ConfigType where Value == PEMFile {
  /// The path of a PEM file, resolved as by ``ConfigType/path``.
  public static var pemFile: ConfigType {
    let path = ConfigType<String>.path
    return ConfigType(shape: path.shape, write: { path.write($0.path) }) { node, report in
      path.decode(node, &report).map { PEMFile($0) }
    }
  }
}
