import Glibc
import SystemFiles

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
    var wait = LockWait(seconds: seconds)
    do {
      try take(place.root, O_RDONLY | O_DIRECTORY, &wait, failures)
      if let path = RadicaleFolder.lock(above: place.root) { try take(path, O_RDWR, &wait, failures) }
    } catch {
      release()
      throw error
    }
  }

  func release() {
    for descriptor in descriptors { close(descriptor) }
  }

  private mutating func take(_ path: String, _ flags: Int32, _ wait: inout LockWait, _ failures: VdirFailures) throws {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw failures.cannotWrite(path, errno) }
    descriptors.append(descriptor)
    do {
      while try !LockWait.take(descriptor) {
        guard wait.goOn() else { throw failures.locked() }
      }
    } catch let failure as SystemCallFailure {
      throw failures.cannotWrite(path, failure.code)
    }
  }
}
