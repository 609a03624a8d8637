/// SHA-1 (RFC 3174), for names only: it protects nothing.
struct SHA1 {
  /// The five words of the digest, once ``finish(_:)`` has run.
  private(set) var words: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0
  )

  /// The digest of a message.
  init(of message: UnsafeRawBufferPointer) {
    let whole = message.count & ~63
    for block in stride(from: 0, to: whole, by: 64) {
      mix(UnsafeRawBufferPointer(rebasing: message[block..<block + 64]))
    }
    finish(UnsafeRawBufferPointer(rebasing: message[whole...]), length: message.count)
  }

  /// The digest's 20 bytes.
  var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3, words.4].flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
  }

  // What is left of the message, a bit, zeros, and the number of bits at the end of a block.
  private mutating func finish(_ rest: UnsafeRawBufferPointer, length: Int) {
    let count = rest.count < 56 ? 64 : 128
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { padded in
      padded.initializeMemory(as: UInt8.self, repeating: 0)
      padded.copyMemory(from: rest)
      padded[rest.count] = 0x80
      padded.storeBytes(of: (UInt64(length) * 8).bigEndian, toByteOffset: count - 8, as: UInt64.self)
      for block in stride(from: 0, to: count, by: 64) {
        mix(UnsafeRawBufferPointer(rebasing: padded[block..<block + 64]))
      }
    }
  }

  private mutating func mix(_ block: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { schedule in
      for index in 0..<16 {
        schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
      }
      for index in 16..<80 {
        let word = schedule[index &- 3] ^ schedule[index &- 8] ^ schedule[index &- 14] ^ schedule[index &- 16]
        schedule[index] = word << 1 | word >> 31
      }
      var (a, b, c, d, e) = words
      @inline(__always) func step(_ index: Int, _ choice: UInt32, _ constant: UInt32) {
        let next = (a << 5 | a >> 27) &+ choice &+ e &+ constant &+ schedule[index]
        (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
      }
      for index in 0..<20 { step(index, d ^ (b & (c ^ d)), 0x5a82_7999) }
      for index in 20..<40 { step(index, b ^ c ^ d, 0x6ed9_eba1) }
      for index in 40..<60 { step(index, (b & c) | (d & (b | c)), 0x8f1b_bcdc) }
      for index in 60..<80 { step(index, b ^ c ^ d, 0xca62_c1d6) }
      words = (words.0 &+ a, words.1 &+ b, words.2 &+ c, words.3 &+ d, words.4 &+ e)
    }
  }
}
