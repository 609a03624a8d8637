import Foundation

/// The bytes of a file, in memory of their own that stays where it is.
package final class FileBytes: Sendable {
  /// The bytes; valid as long as this object is, and never changed.
  package nonisolated(unsafe) let buffer: UnsafeRawBufferPointer
  private let memory: Memory

  /// Room for so many bytes, filled by `fill`, which says how many there are in the end.
  ///
  /// - Throws: what `fill` throws.
  init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
    memory = Memory(count)
    buffer = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.room)[..<(try fill(memory.room))])
  }

  /// No bytes.
  package convenience init() { self.init(count: 0) { _ in 0 } }

  /// A copy of these bytes.
  package convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// Whether they are text in UTF-16, going by how they start.
  package var isUTF16: Bool {
    guard buffer.count >= 2 else { return false }
    switch (buffer[0], buffer[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): return true
    case (0, let byte), (let byte, 0): return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "<")
    default: return false
    }
  }

  /// How many there are.
  package var count: Int { buffer.count }
}

private final class Memory: Sendable {
  // A file of some megabytes takes many pages, and the first touch of each costs more than reading it; large ones are few.
  private static let large = 1 << 21

  nonisolated(unsafe) let room: UnsafeMutableRawBufferPointer
  private let mapped: Int

  init(_ count: Int) {
    let size = (count + Self.large - 1) / Self.large * Self.large
    if count >= Self.large,
      let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), pages != MAP_FAILED
    {
      madvise(pages, size, MADV_HUGEPAGE)
      room = UnsafeMutableRawBufferPointer(start: pages, count: count)
      mapped = size
    } else {
      room = .allocate(byteCount: count, alignment: 16)
      mapped = 0
    }
  }

  deinit {
    if mapped > 0 { munmap(room.baseAddress, mapped) } else { room.deallocate() }
  }
}
