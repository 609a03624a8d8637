import Foundation

extension UUID {
  /// The namespace of every identity that Belfry derives.
  public static let belfry = UUID(
    uuid: (0x6f, 0x1d, 0x4c, 0x52, 0x8e, 0x0b, 0x4b, 0x7a, 0x9c, 0x3d, 0x2a, 0x41, 0x5e, 0x77, 0xb0, 0x19))

  /// The identity in the lower-case form of RFC 9562, section 4.
  ///
  /// `uuidString` goes through `snprintf`, and each reminder that rings has three identities.
  public var text: String {
    withUnsafeBytes(of: uuid) { bytes in
      String(unsafeUninitializedCapacity: 36) { buffer in
        var place = 0
        for (index, byte) in bytes.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            buffer[place] = UInt8(ascii: "-")
            place += 1
          }
          for digit in [byte >> 4, byte & 0x0f] {
            buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            place += 1
          }
        }
        return place
      }
    }
  }

  /// A version 5 UUID (RFC 9562, section 5.5): the same namespace and name always give the same UUID.
  public init(namespace: UUID, name: String) {
    var message = withUnsafeBytes(of: namespace.uuid) { Array($0) }
    message.append(contentsOf: name.utf8)
    var bytes = SHA1.digest(of: message)
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// SHA-1 (RFC 3174), for names only: it protects nothing.
enum SHA1 {
  static func digest(of message: [UInt8]) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    padded.append(contentsOf: repeatElement(0, count: (120 - padded.count % 64) % 64))
    let bitCount = UInt64(message.count) * 8
    padded.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) })

    var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0
    )
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
      for block in stride(from: 0, to: padded.count, by: 64) {
        for index in 0..<16 {
          let start = block + index * 4
          words[index] =
            UInt32(padded[start]) << 24 | UInt32(padded[start + 1]) << 16 | UInt32(padded[start + 2]) << 8
            | UInt32(padded[start + 3])
        }
        for index in 16..<80 {
          let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
          words[index] = word << 1 | word >> 31
        }
        mix(words, into: &state)
      }
    }
    return [state.0, state.1, state.2, state.3, state.4].flatMap { word in
      [
        UInt8(truncatingIfNeeded: word >> 24), UInt8(truncatingIfNeeded: word >> 16),
        UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word),
      ]
    }
  }

  private static func mix(
    _ words: UnsafeMutableBufferPointer<UInt32>, into state: inout (UInt32, UInt32, UInt32, UInt32, UInt32)
  ) {
    var (a, b, c, d, e) = state
    for index in 0..<80 {
      let (choice, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = (a << 5 | a >> 27) &+ choice &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
  }
}
