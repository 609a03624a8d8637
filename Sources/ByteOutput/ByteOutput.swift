/// An output for the bytes of a text, in memory that has room for all of them.
///
/// `OutputSpan` does the same, but its own extensions need a newer compiler than Swift 6.2.
@usableFromInline
package struct ByteOutput: ~Copyable {
  @usableFromInline let memory: UnsafeMutableBufferPointer<UInt8>

  /// The bytes written.
  @usableFromInline var count = 0

  @inlinable
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  @inlinable
  package mutating func append(_ byte: UInt8) {
    precondition(count < memory.count)
    memory.initializeElement(at: count, to: byte)
    count += 1
  }

  @inlinable
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= memory.count - count)
    count += UnsafeMutableBufferPointer(rebasing: memory[count...]).initialize(fromContentsOf: bytes)
  }

  /// Appends a byte several times.
  @inlinable
  package mutating func append(repeating byte: UInt8, count: Int) {
    for _ in 0..<count { append(byte) }
  }

  /// Appends a text in UTF-8.
  @inlinable
  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends a non-negative number in decimal, padded with zeros on the left to at least `width` digits.
  package mutating func appendPadded(_ value: Int, _ width: Int) {
    var digits = 1
    var rest = value / 10
    while rest > 0 { (digits, rest) = (digits + 1, rest / 10) }
    let end = count + max(digits, width)
    precondition(end <= memory.count)
    rest = value
    for index in (count..<end).reversed() {
      memory.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    count = end
  }
}

/// An output for the bytes of an array, in memory that grows.
@usableFromInline
package struct GrowingOutput: ~Copyable {
  @usableFromInline var memory: UnsafeMutableBufferPointer<UInt8>
  @usableFromInline var written = 0

  /// An output with room for `capacity` bytes.
  @inlinable
  package init(capacity: Int) { memory = .allocate(capacity: capacity) }

  deinit { memory.deallocate() }

  /// The number of bytes written.
  @inlinable
  package var count: Int { written }

  /// A copy of the bytes written.
  package var bytes: [UInt8] { Array(memory[..<written]) }

  /// Appends at most `capacity` bytes, which the closure writes.
  @inlinable
  package mutating func append(atMost capacity: Int, _ write: (inout ByteOutput) -> Void) {
    if capacity > memory.count - written { grow(by: capacity) }
    var output = ByteOutput(UnsafeMutableBufferPointer(rebasing: memory[written..<written + capacity]))
    write(&output)
    written += output.count
  }

  @inlinable
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(atMost: bytes.count) { $0.append(bytes) }
  }

  /// Removes the bytes written, and keeps the memory.
  package mutating func removeAll() { written = 0 }

  @usableFromInline
  mutating func grow(by capacity: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * memory.count, written + capacity))
    _ = larger.moveInitialize(fromContentsOf: memory[..<written])
    memory.deallocate()
    memory = larger
  }
}

extension [UInt8] {
  /// Appends at most `capacity` bytes, which the closure writes.
  @inlinable
  package mutating func append(atMost capacity: Int, _ write: (inout ByteOutput) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory in
      var output = ByteOutput(memory)
      write(&output)
      append(contentsOf: memory[..<output.count])
    }
  }
}

extension String {
  /// A string of at most `capacity` bytes in UTF-8, which the closure writes.
  @inlinable
  package init(atMost capacity: Int, _ write: (inout ByteOutput) -> Void) {
    self.init(unsafeUninitializedCapacity: capacity) { memory in
      var output = ByteOutput(memory)
      write(&output)
      return output.count
    }
  }
}
