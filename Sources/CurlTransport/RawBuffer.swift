/// Memory at a fixed place, for what libcurl reads while a transfer goes on; used again by the next one.
final class RawBuffer {
  private(set) var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 1_024) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { start.deallocate() }

  /// Empties the buffer and makes it hold so many bytes without moving.
  func reserve(_ bytes: Int) {
    count = 0
    // What one giant needed is not kept for ever.
    guard bytes > capacity || (capacity > 262_144 && bytes <= 65_536) else { return }
    start.deallocate()
    capacity = max(bytes, 1_024)
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  /// Adds bytes; ``reserve(_:)`` has made room for them.
  func append(_ bytes: some Collection<UInt8>) {
    let room = UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
    count += bytes.count
    room.copyBytes(from: bytes)
  }
}
