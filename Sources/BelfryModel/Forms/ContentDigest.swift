/// A 128-bit checksum of a file's content, several times as fast as parsing it. Each 32 bytes are mixed into four lanes
/// of 64 bits as in XXH64, and both halves are made of all lanes.
///
/// A difference in one word of a lane is never lost. Not cryptographic: it detects accidents, not attacks, since anyone
/// who can write the file can also write its recorded digest.
package struct ContentDigest: Hashable, Sendable {
  private static let stripe = 32
  private static let one: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let two: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let three: UInt64 = 0x1656_67B1_9E37_79F9

  private let high: UInt64
  private let low: UInt64

  /// The digest of these bytes.
  init(of bytes: UnsafeRawBufferPointer) {
    var lanes = Lanes()
    let end = bytes.count / Self.stripe * Self.stripe
    lanes.mix(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    var rest = [UInt8](repeating: 0, count: Self.stripe)
    for (index, byte) in bytes[end...].enumerated() { rest[index] = byte }
    rest.withUnsafeBytes { lanes.mix($0) }
    high = lanes.sum(UInt64(bytes.count), startingAt: Self.one)
    low = lanes.sum(UInt64(bytes.count), startingAt: Self.three)
  }

  /// A 48-bit number that distinguishes it from other digests.
  package var number: Int64 { Int64(high >> 16) }

  /// The digest of these bytes.
  package init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes { ContentDigest(of: $0) } }

  /// The digest written as 32 hexadecimal digits; `nil` for anything else.
  package init?(text: some StringProtocol) {
    guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.dropFirst(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// The digest as 32 hexadecimal digits.
  package var text: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  private struct Lanes {
    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
      ContentDigest.one &+ ContentDigest.two, ContentDigest.two, 0, 0 &- ContentDigest.one
    )

    // Mixes whole stripes of 32 bytes.
    mutating func mix(_ bytes: UnsafeRawBufferPointer) {
      var (a, b, c, d) = lanes
      var offset = 0
      while offset < bytes.count {
        a = Self.mixed(a, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
        b = Self.mixed(b, bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self).littleEndian)
        c = Self.mixed(c, bytes.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self).littleEndian)
        d = Self.mixed(d, bytes.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self).littleEndian)
        offset &+= ContentDigest.stripe
      }
      lanes = (a, b, c, d)
    }

    func sum(_ count: UInt64, startingAt seed: UInt64) -> UInt64 {
      var sum = seed
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3, count] {
        sum = (Self.rotated(sum, 27) ^ Self.mixed(seed, lane)) &* ContentDigest.one &+ ContentDigest.three
      }
      sum = (sum ^ (sum >> 33)) &* ContentDigest.two
      sum = (sum ^ (sum >> 29)) &* ContentDigest.three
      return sum ^ (sum >> 32)
    }

    @inline(__always)
    private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
      rotated(lane &+ word &* ContentDigest.two, 31) &* ContentDigest.one
    }

    @inline(__always)
    private static func rotated(_ number: UInt64, _ count: UInt64) -> UInt64 {
      number << count | number >> (64 &- count)
    }
  }
}
