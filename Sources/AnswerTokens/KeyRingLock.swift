import Glibc
import SystemFiles

/// The lock for changes of the key file, which one program holds at a time.
struct KeyRingLock {
  private static let patience = 2.0

  private let file: String
  private let descriptor: Int32

  /// Waits two seconds at most.
  ///
  /// - Parameter file: the path of the key file behind all symbolic links.
  init(_ file: String) throws(SystemCallFailure) {
    self.file = file
    descriptor = open("\(file).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    try SystemCallFailure.check(descriptor)
    takeOver(descriptor)
    do throws(SystemCallFailure) {
      var wait = LockWait(seconds: Self.patience)
      while try !LockWait.take(descriptor) {
        guard wait.goOn() else { throw SystemCallFailure(code: EWOULDBLOCK) }
      }
    } catch {
      release()
      throw error
    }
  }

  func release() { close(descriptor) }

  /// Replaces the content of the file, all or nothing.
  func replace(with bytes: [UInt8]) throws(SystemCallFailure) {
    let draft = FileDraft("\(file).new")
    try draft.write(bytes, isSynced: true) { descriptor throws(SystemCallFailure) in
      takeOver(descriptor)
      try SystemCallFailure.check(fchmod(descriptor, 0o600))
    }
    try draft.replace(file)
    try OpenFile.sync(folder: SymbolicLinks.folder(of: file))
  }

  // The file keeps its owner, so that root can rotate the keys of a daemon's user.
  private func takeOver(_ descriptor: Int32) {
    var status = stat()
    if stat(file, &status) == 0, status.st_uid != geteuid() { _ = fchown(descriptor, status.st_uid, status.st_gid) }
  }
}
