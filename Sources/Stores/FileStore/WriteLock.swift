import BelfryCore
import Foundation

/// What is noted of a file that consists of lines, one record each, as Belfry itself has written it.
struct NotedLines: Sendable {
  /// Where its sections are.
  let sections: SectionTable
  /// What the bytes of the file were, and this note: what has become of them since cannot be seen by size and time alone.
  let checksum: String

  /// A note on a file with this checksum.
  init(sections: SectionTable, checksum: Checksum) {
    var checksum = checksum
    Array(sections.text.utf8).withUnsafeBytes { checksum.add($0) }
    (self.sections, self.checksum) = (sections, checksum.text)
  }

  /// The note that two lines hold; nil where they hold none of a file of so many bytes.
  fileprivate init?(_ sections: String, _ checksum: String, fileSize: Int64) {
    guard let sections = SectionTable(sections, fileSize: Int(fileSize)) else { return nil }
    (self.sections, self.checksum) = (sections, checksum)
  }

  /// Whether they are the lines of these bytes.
  func fit(_ bytes: FileBytes) -> Bool {
    checksum == NotedLines(sections: sections, checksum: Checksum(of: bytes.buffer)).checksum
  }
}

/// The right to change a store's file, which the kernel takes back when its process ends, however it ends.
///
/// Commands and the daemon hold it from before they read until what they wrote is in place.
struct WriteLock {
  private let descriptor: Int32

  /// Waits for the lock, with growing pauses.
  ///
  /// - Parameters:
  ///   - model: the store's file, whose mode and owners the lock takes over, so that whoever may write the one may lock
  ///     the other.
  ///   - seconds: how long to wait at most.
  /// - Throws: ``BelfryError`` `.tryAgain` when the time is over.
  init(_ place: FilePlace, like model: OpenedFile?, waiting seconds: Double, _ failures: FileFailures) throws {
    // The pauses are counted, not the time on a clock, which may stand still in a test.
    var left = seconds * 1_000
    var pause = 1.0
    while true {
      if let descriptor = try Self.attempt(place.writeLock, like: model, failures) {
        self.descriptor = descriptor
        return
      }
      guard left > 0 else { throw failures.locked() }
      poll(nil, 0, Int32(pause))
      left -= pause
      pause = min(pause * 1.5, 25)
    }
  }

  /// Gives the right back.
  func release() { close(descriptor) }

  /// Notes which content Belfry itself has written, and its lines if it consists of some. Where this fails the content
  /// counts as edited elsewhere, and is planned once more than it had to be.
  func note(_ stamp: FileStamp, _ lines: NotedLines?) {
    let text = ([stamp.text] + (lines.map { [$0.sections.text, $0.checksum] } ?? [])).map { $0 + "\n" }.joined()
    ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  /// The stamp of what Belfry itself has written last.
  static func noted(at place: FilePlace) -> FileStamp? { notes(at: place).first.flatMap { FileStamp($0) } }

  /// The lines of a store's file, if Belfry itself has written it last and said so.
  static func lines(of stamp: FileStamp, at place: FilePlace) -> NotedLines? {
    let notes = notes(at: place)
    guard notes.count == 3, FileStamp(notes[0]) == stamp else { return nil }
    return NotedLines(notes[1], notes[2], fileSize: stamp.size)
  }

  private static func notes(at place: FilePlace) -> [String] {
    let descriptor = open(place.writeLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    // A line that does not end was not written to its end.
    return text.hasSuffix("\n") ? text.split(separator: "\n").map(String.init) : []
  }

  private static func attempt(_ path: String, like model: OpenedFile?, _ failures: FileFailures) throws -> Int32? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failures.cannotWrite(errno, at: path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK || code == EINTR else { throw failures.cannotWrite(code, at: path) }
      return nil
    }
    var held = stat()
    var current = stat()
    guard fstat(descriptor, &held) == 0, stat(path, &current) == 0, held.st_ino == current.st_ino,
      held.st_dev == current.st_dev
    else {
      // A lock on a file that someone has removed locks nobody out.
      close(descriptor)
      return nil
    }
    if let model { share(descriptor, held, like: model) }
    return descriptor
  }

  // As far as this user may; where that fails, the lock stays its maker's.
  private static func share(_ descriptor: Int32, _ held: stat, like model: OpenedFile) {
    if held.st_uid != model.owner || held.st_gid != model.group { _ = fchown(descriptor, model.owner, model.group) }
    let mode = model.mode & 0o666
    if held.st_mode & 0o7777 != mode { _ = fchmod(descriptor, mode) }
  }
}
