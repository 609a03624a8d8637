import FoundationEssentials
import Glibc

/// Creates folders that only their owner may enter.
package enum PrivateFolder {
  /// Creates a folder and its parents, with mode 0700, if it does not exist.
  ///
  /// - Returns: the `errno` of a failure, such as that of a file at the path; `nil` for success. A folder that may not
  ///   be entered counts as success, since opening the file in it reports the error.
  package static func make(at path: String) -> Int32? {
    if access("\(path)/.", F_OK) == 0 || errno == EACCES { return nil }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      return nil
    } catch {
      return errno
    }
  }
}
