/// Memory at a fixed address, which libcurl reads during a transfer; the next transfer reuses it.
final class RawBuffer {
  private(set) var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 1_024) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { start.deallocate() }

  /// Empties the buffer and reserves room for this many bytes.
  func reserve(_ bytes: Int) {
    count = 0
    // The memory of one large body is not kept forever.
    guard bytes > capacity || (capacity > 262_144 && bytes <= 65_536) else { return }
    start.deallocate()
    capacity = max(bytes, 1_024)
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  /// Appends bytes, for which ``reserve(_:)`` has made room.
  func append(_ bytes: some Collection<UInt8>) {
    let room = UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
    count += bytes.count
    room.copyBytes(from: bytes)
  }
}
