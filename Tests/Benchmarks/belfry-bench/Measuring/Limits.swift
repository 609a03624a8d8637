import Foundation

/// The machine's own times for operations that every program needs.
enum Limits {
  /// The delay with which the system wakes a sleeping thread, in milliseconds.
  static func latenessOfSleep(until instant: Double) -> Double {
    Clock.sleep(until: instant)
    return (Clock.wall - instant) * 1e3
  }

  /// The times to overwrite one page and sync it, in milliseconds.
  ///
  /// - Throws: ``BenchmarkError`` for an error of the disk.
  static func syncs(_ count: Int, in folder: String) throws -> [Double] {
    let page = [UInt8](repeating: 0x5a, count: 4_096)
    let descriptor = open("\(folder)/page", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchmarkError.system("cannot make a file in \(folder)", errno) }
    defer { close(descriptor) }
    func write() throws {
      guard pwrite(descriptor, page, page.count, 0) == page.count, fdatasync(descriptor) == 0 else {
        throw BenchmarkError.system("cannot write in \(folder)", errno)
      }
    }
    // The first write extends the file, which costs more.
    try write()
    return try (0..<count).map { _ in
      let start = Clock.monotonic
      try write()
      return Clock.monotonic - start
    }
  }
}
