import FoundationEssentials
import Glibc

/// One line of a file.
struct Line: Hashable {
  /// Its number, from 1.
  let number: Int
  /// Its bytes without the line end; only the first bytes if `isTooLong`.
  let bytes: [UInt8]
  /// True if it was longer than the reader's limit and is cut off.
  var isTooLong = false

  /// Its text; `nil` if the bytes are not UTF-8.
  var text: String? { String(validating: bytes, as: UTF8.self) }
}

/// Reads the lines of a file in UTF-8: LF or CR LF ends one, and a byte order mark before the first is left out.
///
/// Memory stays within the limit of a line.
struct LineReader {
  /// The most bytes that a line may have by default.
  static let usualLimit = 1 << 24

  private let source: ByteSource
  private let limit: Int
  private var number = 0

  /// A reader of the rest of a source.
  init(_ source: ByteSource, limit: Int = LineReader.usualLimit) {
    self.source = source
    self.limit = limit
  }

  /// The next line; `nil` at the end. A last line needs no line end.
  ///
  /// - Throws: as the source.
  mutating func next() throws -> Line? {
    if number == 0, try source.peek(3).elementsEqual([0xEF, 0xBB, 0xBF]) { source.use(3) }
    var searched = 0
    while true {
      if let length = lineLength(from: searched) {
        number += 1
        let isTooLong = length > limit
        let line = Line(number: number, bytes: bytes(isTooLong ? limit : length), isTooLong: isTooLong)
        source.use(length + 1)
        return line
      }
      searched = source.waiting
      guard searched <= limit else { return try cutLine() }
      guard try source.readMore() else { return lastLine() }
    }
  }

  private mutating func lastLine() -> Line? {
    guard source.waiting > 0 else { return nil }
    number += 1
    let line = Line(number: number, bytes: bytes(source.waiting))
    source.use(source.waiting)
    return line
  }

  // The bytes beyond the limit are read and dropped.
  private mutating func cutLine() throws -> Line {
    number += 1
    let line = Line(number: number, bytes: Array(source.buffer[source.start..<source.start + limit]), isTooLong: true)
    while true {
      if let length = lineLength(from: 0) {
        source.use(length + 1)
        return line
      }
      source.use(source.waiting)
      guard try source.readMore() else { return line }
    }
  }

  // The number of unused bytes before the next line feed.
  private func lineLength(from searched: Int) -> Int? {
    source.buffer.withUnsafeBytes { bytes -> Int? in
      let offset = source.start + searched
      guard offset < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + offset, 0x0A, bytes.count - offset)
      else { return nil }
      return UnsafeRawPointer(found) - (base + source.start)
    }
  }

  private func bytes(_ length: Int) -> [UInt8] {
    var end = source.start + length
    if end > source.start, source.buffer[end - 1] == 0x0D { end -= 1 }
    return Array(source.buffer[source.start..<end])
  }
}
