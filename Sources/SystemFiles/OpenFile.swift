import Glibc

/// Reads and writes of open files, whole however the system divides them.
package enum OpenFile {
  /// Reads to the end, or up to a limit.
  package static func read(_ descriptor: Int32, upTo limit: Int) throws(SystemCallFailure) -> [UInt8] {
    var failure: SystemCallFailure?
    // Only the filled part of the reserved capacity costs memory.
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, filled in
      while filled < limit {
        let count = Glibc.read(descriptor, room.baseAddress?.advanced(by: filled), limit - filled)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = SystemCallFailure(code: errno) }
        guard count > 0 else { break }
        filled += count
      }
    }
    if let failure { throw failure }
    return bytes
  }

  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallFailure) {
    try write(bytes, to: descriptor) { code throws(SystemCallFailure) in
      if code != EINTR { throw SystemCallFailure(code: code) }
    }
  }

  /// Writes all of these bytes.
  ///
  /// - Parameter handle: called with the `errno` of a failure; goes on unless it throws.
  package static func write<Failure: Error>(
    _ bytes: [UInt8], to descriptor: Int32, handlingFailures handle: (_ code: Int32) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { try handle(errno) } else { rest = rest.dropFirst(count) }
    }
  }

  /// Waits until the content of a file is on the disk.
  package static func sync(file path: String) throws(SystemCallFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try SystemCallFailure.check(descriptor)
    defer { close(descriptor) }
    try SystemCallFailure.check(fsync(descriptor))
  }

  /// Waits until the names in a folder are on the disk.
  ///
  /// - Parameter prepare: called with the folder's descriptor before.
  package static func sync(
    folder path: String, after prepare: (Int32) -> Void = { _ in }
  ) throws(SystemCallFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try SystemCallFailure.check(descriptor)
    defer { close(descriptor) }
    prepare(descriptor)
    // Some network file systems cannot sync folders, and return EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemCallFailure(code: errno) }
  }
}
