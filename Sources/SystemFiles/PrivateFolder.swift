import FoundationEssentials
import Glibc

/// A folder that a store is in, made for this user alone.
public enum PrivateFolder {
  /// Makes a folder, with those above it, where it is not there.
  ///
  /// - Returns: the system's error number where it cannot be made. What is there and no folder is such a case; what may
  ///   not be entered is not, since that is told when the file in it is looked for.
  public static func make(at path: String) -> Int32? {
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
