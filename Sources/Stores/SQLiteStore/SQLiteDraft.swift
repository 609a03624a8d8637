import FoundationEssentials
import Glibc

/// The file under which a new database is made before it gets its name.
///
/// Its maker holds a lock on it, which the kernel takes back when the process ends, however it ends: a draft without one
/// is litter.
final class SQLiteDraft {
  let path: String
  private let descriptor: Int32

  /// Makes an empty file beside the database's place, for this user alone.
  init(of place: SQLitePlace) throws {
    path = "\(place.file).new-\(getpid())"
    descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw place.failures.cannotCreate("cannot make \(place.named)", errno) }
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Removes it with what SQLite has put beside it.
  func remove() {
    Self.remove(path)
    close(descriptor)
  }

  /// Removes the drafts of processes that were killed.
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
      // What stood beside a draft that is gone.
      if errno == ENOENT { remove(path) }
      return
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
    close(descriptor)
  }

  /// Removes a database with what SQLite has put beside it.
  static func remove(_ path: String) {
    for suffix in [""] + SQLitePlace.suffixes { unlink(path + suffix) }
  }
}
