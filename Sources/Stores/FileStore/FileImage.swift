import Foundation

/// A whole file as it is put together: new bytes, and between them parts of the file that it replaces.
package struct FileImage: Sendable {
  private let fresh: [UInt8]
  private let shared: SharedParts

  /// A file of new bytes and of the parts that stand between them.
  package init(_ fresh: [UInt8], _ shared: SharedParts = SharedParts(of: FileBytes())) {
    (self.fresh, self.shared) = (fresh, shared)
  }

  /// How many bytes there are.
  package var count: Int { fresh.count + shared.count }

  /// Hands on the file, part by part.
  package func forEachPart(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try fresh.withUnsafeBytes { fresh in
      var next = 0
      for (place, range) in shared.parts {
        if next < place { try body(UnsafeRawBufferPointer(rebasing: fresh[next..<place])) }
        try body(UnsafeRawBufferPointer(rebasing: shared.source.buffer[range]))
        next = place
      }
      if next < fresh.count { try body(UnsafeRawBufferPointer(rebasing: fresh[next...])) }
    }
  }

  /// Writes the file to a descriptor, from where that stands.
  ///
  /// - Returns: 0, or the `errno` of the call that failed.
  func write(to descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    forEachPart { part in
      var written = 0
      while code == 0, written < part.count {
        let count = Foundation.write(descriptor, part.baseAddress?.advanced(by: written), part.count - written)
        if count >= 0 { written += count } else if errno != EINTR { code = errno }
      }
    }
    return code
  }

  /// What tells the file from another one.
  var checksum: Checksum {
    var checksum = Checksum()
    forEachPart { checksum.add($0) }
    return checksum
  }

  /// The whole file in one piece.
  package func joined() -> FileBytes {
    FileBytes(count: count) { room in
      var filled = 0
      forEachPart { part in
        UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(from: part)
        filled += part.count
      }
      return filled
    }
  }
}

/// Parts of a file that another one takes over.
package struct SharedParts: Sendable {
  // Smaller parts are copied at once: they cost less than a call to write each.
  private static let smallest = 1 << 16

  /// The file that they are parts of.
  package let source: FileBytes
  /// How many bytes they have together.
  package private(set) var count = 0
  /// Behind how many new bytes each stands, and which part it is.
  fileprivate private(set) var parts: [(place: Int, range: Range<Int>)] = []

  /// No parts yet.
  package init(of source: FileBytes) { self.source = source }

  /// Takes over a part behind the new bytes that there are so far.
  package mutating func take(_ range: Range<Int>, behind fresh: inout [UInt8]) {
    guard range.count >= Self.smallest else {
      fresh.append(contentsOf: source.buffer[range])
      return
    }
    parts.append((fresh.count, range))
    count += range.count
  }
}
