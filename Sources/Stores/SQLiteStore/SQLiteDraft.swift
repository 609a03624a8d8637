import FoundationEssentials
import Glibc

/// The temporary file in which a new database is built.
///
/// Its creator holds a lock on it, which the kernel releases when the process ends: a draft without a lock was left by
/// a killed process.
final class SQLiteDraft {
  let path: String
  private let descriptor: Int32

  /// Creates an empty file, with mode 0600, beside the database's path.
  init(of place: SQLitePlace) throws {
    path = "\(place.file).new-\(getpid())"
    descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw place.failures.cannotCreate("cannot make \(place.named)", errno) }
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Removes it and SQLite's files beside it.
  func remove() {
    Self.remove(path)
    close(descriptor)
  }

  /// Removes the drafts of killed processes.
  static func removeLitter(at place: SQLitePlace) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.folder)) ?? []
    let beginning = (place.file.split(separator: "/").last ?? "") + ".new-"
    for name in names where name.hasPrefix(beginning) {
      let suffix = SQLitePlace.suffixes.first { name.hasSuffix($0) } ?? ""
      removeLitter("\(place.folder)/\(name.dropLast(suffix.count))")
    }
  }

  private static func removeLitter(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      // Files beside a draft that no longer exists.
      if errno == ENOENT { remove(path) }
      return
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
    close(descriptor)
  }

  /// Removes a database and SQLite's files beside it.
  static func remove(_ path: String) {
    for suffix in [""] + SQLitePlace.suffixes { unlink(path + suffix) }
  }
}
