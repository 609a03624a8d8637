import CLinuxEvents
import FoundationEssentials
import Glibc
import SystemFiles

/// The path of a database, and the paths of the files next to it.
struct SQLitePlace: Sendable {
  /// The path in the config, for messages.
  let named: String
  /// The path with symbolic links resolved; the file need not exist. SQLite's own files are next to it, not next to a
  /// link.
  let file: String

  /// Resolves the links at a path, whether or not the file exists.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` for a cycle of links.
  init(_ path: String) throws {
    guard let end = SymbolicLinks.end(of: path) else {
      throw SQLitePlace(named: path, file: path).failures.cannotOpen(ELOOP)
    }
    self.init(named: path, file: end)
  }

  private init(named: String, file: String) {
    self.named = named
    self.file = file
    log = "\(file)-wal"
  }

  /// The suffixes of SQLite's own files.
  static let suffixes = ["-wal", "-shm", "-journal"]

  var folder: String { SymbolicLinks.folder(of: file) }
  /// The write-ahead log, with commits that are not in the file yet.
  let log: String
  /// The shared-memory index of the log.
  var logIndex: String { "\(file)-shm" }
  /// The file that the daemon locks. It is never removed.
  var daemonLock: String { "\(file).lock" }

  /// The existing files with these suffixes.
  func beside(_ endings: [String]) -> [String] {
    endings.map { file + $0 }.filter { (path: String) in access(path, F_OK) == 0 }
  }

  var failures: SQLiteFailures { SQLiteFailures(place: self) }
  var backup: SQLiteBackup { SQLiteBackup(place: self) }

  /// The stamp of the database; `nil` if none has been created yet.
  ///
  /// - Throws: ``BelfryError``, also for a missing database that has left its log or a copy.
  func present() throws -> FileStamp? {
    if let found = try stamp() { return found }
    let copy = backup.newest
    guard logSize > 0 || copy != nil else { return nil }
    // A store being created at this moment also has a log.
    if let found = try stamp() { return found }
    throw failures.gone(copy: copy)
  }

  /// The stamp of the file at the path; `nil` for none.
  ///
  /// - Throws: ``BelfryError``, also for anything but a regular file.
  func stamp() throws -> FileStamp? {
    var status = stat()
    guard stat(file, &status) == 0 else {
      guard errno == ENOENT else { throw failures.cannotOpen(errno) }
      return nil
    }
    // Checked before opening, which would wait forever for a pipe.
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
    return FileStamp(status, at: file)
  }

  /// The size of the log in bytes; 0 for none.
  var logSize: Int {
    var status = stat()
    return stat(log, &status) == 0 ? Int(status.st_size) : 0
  }

  /// True if the file was put in place, or written, after its log: either SQLite has checkpointed the log, or it is the
  /// log of another file that was there before. Check this before opening the file, since as root SQLite touches the
  /// log when it does.
  var isLogDoubtful: Bool {
    var (file, log) = (stat(), stat())
    guard stat(self.log, &log) == 0, log.st_size > 0, stat(self.file, &file) == 0 else { return false }
    return (file.st_ctim.tv_sec, file.st_ctim.tv_nsec) > (log.st_ctim.tv_sec, log.st_ctim.tv_nsec)
  }

  /// Marks the log, for the next process that opens it, as the file's own or as doubtful. It updates the change time
  /// (ctime) of the log or the file, and neither content nor modification time.
  func noteLog(isOwn: Bool) {
    let path = isOwn ? log : file
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0)
  }

  /// True if this user cannot create files beside the database.
  var isSealed: Bool {
    faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) != 0 && (errno == EACCES || errno == EROFS)
  }

  /// Creates the folder, accessible to this user only, if it does not exist.
  func makeFolder() throws {
    if let code = PrivateFolder.make(at: folder) {
      throw failures.cannotCreate("cannot make the folder \(folder)", code)
    }
  }
}

/// The identity of a file with its size and times, which distinguish one content from the next.
struct FileStamp: Hashable {
  let identity: FileIdentity
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  init(_ status: stat, at path: String) {
    identity = FileIdentity(status, at: path)
    size = Int64(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }
}

/// The identity of a file, whatever its name: its inode number, which a new file may get once the old one is deleted,
/// and its birth time, if the file system has one.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let birth: UInt64

  init(_ status: stat, at path: String) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    birth = belfry_birth_nanoseconds(path)
  }

  /// The identity of the file at a path; `nil` for none.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status, at: path)
  }

  var text: String { "\(device) \(node) \(birth)" }
}
