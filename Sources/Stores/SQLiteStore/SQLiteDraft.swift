import FoundationEssentials
import Glibc
import Synchronization
import SystemFiles

/// The temporary file in which a new database is built.
///
/// Its creator holds a lock on it, which the kernel releases when the process ends, so a draft without a lock was left
/// by a killed process.
final class SQLiteDraft {
  let path: String
  private let descriptor: Int32

  // No name is used twice, since the process that removes a draft may remove the files beside it a little later.
  private static let count = Atomic(0)

  /// Creates an empty file, with mode 0600, next to the database's path.
  init(of place: SQLitePlace) throws {
    while true {
      let path = "\(place.file).new-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
      let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
      // Processes that share a folder may have the same number, in containers.
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw place.failures.cannotCreate("cannot make \(place.named)", errno) }
      // Until it is locked, another process may take it for litter and remove it.
      if (try? LockWait.take(descriptor)) == true, Self.hasName(descriptor) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      close(descriptor)
    }
  }

  private static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
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
    if (try? LockWait.take(descriptor)) == true { remove(path) }
    close(descriptor)
  }

  /// Removes a database and SQLite's files beside it.
  static func remove(_ path: String) {
    for suffix in [""] + SQLitePlace.suffixes { unlink(path + suffix) }
  }
}
