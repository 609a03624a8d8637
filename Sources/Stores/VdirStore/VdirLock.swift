import Glibc

/// The exclusive right to change a folder and its state, which the kernel takes back when the process ends.
///
/// The folder itself is locked, which no file shows. Where Radicale keeps the folder, its lock is taken as well.
struct VdirLock {
  private var descriptors: [Int32] = []

  /// Waits for the lock, with growing pauses.
  ///
  /// - Parameter seconds: the longest wait.
  /// - Throws: ``BelfryError`` `.tryAgain` after that time.
  init(_ place: VdirPlace, waiting seconds: Double, _ failures: VdirFailures) throws {
    // Counts its own pauses instead of reading a clock, which may stand still in a test.
    var left = seconds * 1_000
    do {
      try take(place.root, O_RDONLY | O_DIRECTORY, left: &left, failures)
      if let path = RadicaleFolder.lock(above: place.root) { try take(path, O_RDWR, left: &left, failures) }
    } catch {
      release()
      throw error
    }
  }

  /// Releases the lock.
  func release() {
    for descriptor in descriptors { close(descriptor) }
  }

  private mutating func take(_ path: String, _ flags: Int32, left: inout Double, _ failures: VdirFailures) throws {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw failures.cannotWrite(path, errno) }
    descriptors.append(descriptor)
    var pause = 1.0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failures.cannotWrite(path, errno) }
      guard left > 0 else { throw failures.locked() }
      poll(nil, 0, Int32(pause))
      left -= pause
      pause = min(pause * 1.5, 25)
    }
  }
}
