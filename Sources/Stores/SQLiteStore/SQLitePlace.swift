import FoundationEssentials
import Glibc
import SystemFiles

/// Where a database really is, and the files that stand beside it.
struct SQLitePlace: Sendable {
  /// The path that the user named, for messages.
  let named: String
  /// The path behind all symbolic links; it need not exist. SQLite's own files stand beside it, not beside a link.
  let file: String

  /// Follows the links at a path, also to a file that is not there yet.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` where links lead in a circle.
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

  /// What SQLite puts beside a database's name for files of its own.
  static let suffixes = ["-wal", "-shm", "-journal"]

  /// The folder of the file.
  var folder: String { SymbolicLinks.folder(of: file) }
  /// What is committed and not yet in the file.
  let log: String
  /// Where what is in the log.
  var logIndex: String { "\(file)-shm" }
  /// What the daemon holds a lock on; it stays.
  var daemonLock: String { "\(file).lock" }

  /// Which of the files with these endings are there.
  func beside(_ endings: [String]) -> [String] {
    endings.map { file + $0 }.filter { (path: String) in access(path, F_OK) == 0 }
  }

  /// Its errors.
  var failures: SQLiteFailures { SQLiteFailures(place: self) }
  /// Its copies.
  var backup: SQLiteBackup { SQLiteBackup(place: self) }

  /// The database that stands there; `nil` where none has been made yet.
  ///
  /// - Throws: ``BelfryError``, also where one is gone that has left its log or a copy.
  func present() throws -> FileStamp? {
    if let found = try stamp() { return found }
    let copy = backup.newest
    guard logSize > 0 || copy != nil else { return nil }
    // Whoever makes a store at this moment has a log of its own.
    if let found = try stamp() { return found }
    throw failures.gone(copy: copy)
  }

  /// What stands there now; `nil` where nothing does.
  ///
  /// - Throws: ``BelfryError``, also where it cannot be said and where it is no file.
  func stamp() throws -> FileStamp? {
    var status = stat()
    guard stat(file, &status) == 0 else {
      guard errno == ENOENT else { throw failures.cannotOpen(errno) }
      return nil
    }
    // Before it is opened, which a pipe would hold up for ever.
    guard status.st_mode & S_IFMT == S_IFREG else { throw failures.notAFile() }
    return FileStamp(status)
  }

  /// The size of the log in bytes; 0 where there is none.
  var logSize: Int {
    var status = stat()
    return stat(log, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether the file was put there, or written, after its log: SQLite has moved a log into it, or the log is of another
  /// file that stood there before. To be asked before the file is opened, since root's SQLite touches the log by that.
  var isLogDoubtful: Bool {
    var (file, log) = (stat(), stat())
    guard stat(self.log, &log) == 0, log.st_size > 0, stat(self.file, &file) == 0 else { return false }
    return (file.st_ctim.tv_sec, file.st_ctim.tv_nsec) > (log.st_ctim.tv_sec, log.st_ctim.tv_nsec)
  }

  /// Notes that the log is the file's own, whatever happened to the file since, or that it is not: then whoever opens
  /// them next doubts it too. No content and no date of one changes by that.
  func noteLog(isOwn: Bool) {
    let path = isOwn ? log : file
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0)
  }

  /// Whether this user can make no files beside the database.
  var isSealed: Bool {
    faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) != 0 && (errno == EACCES || errno == EROFS)
  }

  /// Makes the folder, for this user alone, where it is not there.
  func makeFolder() throws {
    if let code = PrivateFolder.make(at: folder) {
      throw failures.cannotCreate("cannot make the folder \(folder)", code)
    }
  }
}

/// What tells one file from another, and one content of it from the next.
struct FileStamp: Hashable {
  let identity: FileIdentity
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }
}

/// What tells one file from another, whatever its name.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let node: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
  }

  /// The file that stands at a path; `nil` where none can be seen.
  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// As a text.
  var text: String { "\(device) \(node)" }
}
