import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc

/// Turns the system's errors about the store's files into Belfry's.
struct FileFailures: Sendable {
  /// The path in the config.
  let path: String

  /// The error of the store's file, or one next to it, that cannot be opened or read.
  func cannotOpen(_ code: Int32) -> BelfryError {
    switch code {
    case EACCES, EPERM:
      BelfryError(
        .noPermission, "\(path) cannot be opened: \(reason(code))", hint: "check who owns the file and its folder")
    case EIO:
      BelfryError(.storeFailed, "\(path) cannot be read: \(reason(code))", hint: "check the disk, then try again")
    default:
      BelfryError(.storeFailed, "\(path) cannot be opened: \(reason(code))", hint: "check the path in the config")
    }
  }

  /// The error of a path that is not a regular file.
  func notAFile() -> BelfryError {
    BelfryError(
      .storeFailed, "\(path) is not a regular file", hint: "name another path in the config; nothing was changed")
  }

  /// The error of a folder that cannot be created.
  func cannotMake(_ folder: String, _ code: Int32) -> BelfryError {
    switch code {
    case EACCES, EPERM, EROFS:
      BelfryError(
        .noPermission, "cannot make the folder \(folder): \(reason(code))", hint: "check who owns the folder above")
    case ENOSPC, EDQUOT, EIO:
      cannotWrite(code)
    default:
      BelfryError(
        .cannotCreate, "cannot make the folder \(folder): \(reason(code))", hint: "check the path in the config")
    }
  }

  /// The error of a file that cannot be written or replaced.
  ///
  /// - Parameter obstacle: the path that the failed call was about, if not the store's own.
  func cannotWrite(_ code: Int32, at obstacle: String? = nil) -> BelfryError {
    let reason = obstacle.map { "\($0): \(self.reason(code))" } ?? self.reason(code)
    return switch code {
    case ENOSPC, EDQUOT:
      BelfryError(
        .storeFailed, "\(path): the disk is full", hint: "nothing was changed; free some space and try again")
    case EACCES, EPERM, EROFS:
      BelfryError(
        .noPermission, "\(path) cannot be written: \(reason)",
        hint: "nothing was changed; check who owns the file and its folder")
    case ENOENT, ENOTDIR, ENAMETOOLONG:
      BelfryError(
        .cannotCreate, "\(path) cannot be written: \(reason)", hint: "check the path in the config")
    case EISDIR, ENOTEMPTY, EEXIST, ELOOP:
      BelfryError(
        .storeFailed, "\(path) cannot be written: \(reason)", hint: "nothing was changed; move the existing file away")
    default:
      BelfryError(
        .storeFailed, "\(path) cannot be written: \(reason)",
        hint: "nothing was changed; check the disk, then try again")
    }
  }

  /// The error of a write lock held by another program.
  func locked() -> BelfryError {
    BelfryError(.tryAgain, "\(path) is locked by another program", hint: "nothing was changed; try again in a moment")
  }

  /// The error of a file that a program without a lock, such as an editor, saved during the change.
  func changedMeanwhile() -> BelfryError {
    BelfryError(
      .tryAgain, "\(path) was changed by another program in the same moment", hint: "nothing was changed; try again")
  }

  /// The error of a content that is not a valid store.
  ///
  /// - Parameters:
  ///   - position: the place in the file, as part of its path.
  ///   - copy: the last good copy with its size and date, if there is one.
  func damaged(_ message: String, at position: String, copy: String?) -> BelfryError {
    BelfryError(
      .storeFailed, "\(path)\(position): \(message)",
      hint: "the file was left as it is: correct it there; \(Restoration.advice(copy))")
  }

  /// The error of a missing file whose backup still exists.
  ///
  /// - Parameter copy: the last good copy with its size and date.
  func gone(copy: String) -> BelfryError {
    BelfryError(
      .storeFailed, "\(path) is gone; the last good copy is \(copy)",
      hint: "'belfry store restore' goes back to it; to start with an empty store, move the copy away")
  }

  /// The error of a file written by a newer version.
  func newer(_ version: Int64, known: Int64) -> BelfryError {
    BelfryError(
      .storeFailed, "\(path) was written by a newer Belfry (version \(version), this one knows \(known))",
      hint: "update Belfry; the file was left as it is")
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
