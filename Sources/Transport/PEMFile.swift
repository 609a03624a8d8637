import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc

/// A file of certificates or with a private key, in PEM, which whoever speaks TLS opens by itself.
///
/// It would wait for ever for a pipe in the file's place, and cannot ask anybody for a passphrase: hence a look before.
public struct PEMFile: Hashable, Sendable {
  /// Longer files are not looked into.
  private static let longest = 16_777_216

  /// The absolute path.
  public let path: String

  /// The file at a path; nothing is looked up.
  public init(_ path: String) { self.path = path }

  /// Looks whether it is a regular file that this process may read.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, `.noPermission` or `.badConfig`, which names the file.
  public func checkPlace() throws(BelfryError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.badConfig, "is no regular file") }
    guard access(path, R_OK) == 0 else { throw unreadable(errno) }
  }

  /// Looks into it as well.
  ///
  /// - Throws: ``BelfryError`` as ``checkPlace()``, and `.badConfig` for what is no PEM or wants a passphrase.
  public func check() throws(BelfryError) {
    try checkPlace()
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= Self.longest,
      let bytes = FileManager.default.contents(atPath: path)
    else { return }
    guard bytes.firstRange(of: "-----BEGIN ".utf8) != nil else { throw failure(.badConfig, "is not PEM") }
    // PKCS #8 and the older form.
    let marks = ["BEGIN ENCRYPTED PRIVATE KEY", "Proc-Type: 4,ENCRYPTED"]
    guard !marks.contains(where: { bytes.firstRange(of: $0.utf8) != nil }) else {
      throw failure(
        .badConfig, "wants a passphrase, which nobody is there to type",
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
  /// The path of a file in PEM, read as ``ConfigType/path`` is.
  public static var pemFile: ConfigType {
    let path = ConfigType<String>.path
    return ConfigType(shape: path.shape, write: { path.write($0.path) }) { node, report in
      path.decode(node, &report).map { PEMFile($0) }
    }
  }
}
