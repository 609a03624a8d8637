import FoundationEssentials
import Glibc

/// Creates folders that only their owner may enter.
package enum PrivateFolder {
  /// Creates a folder and its parents, with mode 0700, where it does not exist.
  ///
  /// - Returns: the `errno` of a failure, as for a file in the folder's place; `nil` for success. A folder that may not
  ///   be entered counts as success: opening the file in it reports that.
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
