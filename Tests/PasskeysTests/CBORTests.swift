import Testing

@testable import Passkeys

@Suite("CBOR and keys of authenticators")
struct CBORTests {
  @Test("values are read as RFC 8949 writes them, appendix A")
  func values() throws {
    let values: [([UInt8], CBORValue)] = [
      ([0x00], .integer(0)), ([0x17], .integer(23)), ([0x18, 0x18], .integer(24)),
      ([0x19, 0x03, 0xe8], .integer(1_000)), ([0x1a, 0, 0x0f, 0x42, 0x40], .integer(1_000_000)),
      ([0x1b, 0, 0, 0, 0xe8, 0xd4, 0xa5, 0x10, 0], .integer(1_000_000_000_000)), ([0x20], .integer(-1)),
      ([0x39, 0x03, 0xe7], .integer(-1_000)), ([0xf4], .boolean(false)), ([0xf5], .boolean(true)), ([0xf6], .null),
      ([0x3b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .integer(.min)),
      ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x64, 0x49, 0x45, 0x54, 0x46], .text("IETF")),
      ([0x83, 1, 2, 3], .array([.integer(1), .integer(2), .integer(3)])),
      ([0xa1, 1, 2], .map([CBORValue.Pair(key: .integer(1), value: .integer(2))])), ([0x80], .array([])),
    ]
    for (bytes, value) in values { #expect(try CBORReader.value(bytes) == value, "\(bytes)") }
  }

  @Test(
    "what is cut, lies about its length, is longer than need be, indefinite, tagged, doubled or deep is refused",
    arguments: [
      [], [0x18], [0x18, 0x17], [0x19, 0, 0xff], [0x1a, 0, 0, 0xff, 0xff], [0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
      [0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x1c], [0x1f],
      [0x42, 1], [0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x5a, 0x7f, 0xff, 0xff, 0xff, 0],
      [0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x82, 0], [0xa1, 0], [0xa2, 0, 0, 0, 1], [0x61, 0xff], [0x5f, 0x41, 0, 0xff], [0x9f, 0xff], [0xbf, 0xff],
      [0xc0, 0], [0xf7], [0xf9, 0, 0], [0xf8, 0x20], [0xff], [0, 0], [0xa0, 0],
      [UInt8](repeating: 0x81, count: 9) + [0], [UInt8](repeating: 0x81, count: 100_000),
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(throws: PasskeyFault.self) { try CBORReader.value(bytes) }
  }

  private static let x = [UInt8](repeating: 1, count: 32)

  private func map(_ pairs: [(Int64, CBORValue)]) -> CBORValue {
    .map(pairs.map { CBORValue.Pair(key: .integer($0), value: $1) })
  }

  @Test("a key is of an algorithm that was asked for, and has its form")
  func keys() {
    let short = [UInt8](repeating: 1, count: 31)
    let modulus = [UInt8](repeating: 0xff, count: 256)
    let wrong: [[(Int64, CBORValue)]] = [
      [], [(1, .integer(2)), (3, .integer(-7)), (-1, .integer(1)), (-2, .bytes(Self.x))],
      [(1, .integer(2)), (3, .integer(-7)), (-1, .integer(1)), (-2, .bytes(Self.x)), (-3, .bytes(short))],
      [(1, .integer(2)), (3, .integer(-7)), (-1, .integer(2)), (-2, .bytes(Self.x)), (-3, .bytes(Self.x))],
      [(1, .integer(2)), (3, .integer(-7)), (-1, .integer(1)), (-2, .bytes(Self.x)), (-3, .boolean(true))],
      [(1, .integer(2)), (3, .integer(-35)), (-1, .integer(1)), (-2, .bytes(Self.x)), (-3, .bytes(Self.x))],
      [(1, .integer(1)), (3, .integer(-7)), (-1, .integer(1)), (-2, .bytes(Self.x)), (-3, .bytes(Self.x))],
      [(1, .integer(1)), (3, .integer(-8)), (-1, .integer(6)), (-2, .bytes(short))],
      [(1, .integer(1)), (3, .integer(-8)), (-1, .integer(7)), (-2, .bytes(Self.x))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes(short)), (-2, .bytes([1, 0, 1]))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes(modulus)), (-2, .bytes([1]))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes(modulus)), (-2, .bytes([2]))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes(modulus)), (-2, .bytes([]))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes([0] + modulus)), (-2, .bytes([3]))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes(modulus + modulus + [1])), (-2, .bytes([3]))],
      [(1, .integer(3)), (3, .integer(-257)), (-1, .bytes(modulus.dropLast() + [2])), (-2, .bytes([3]))],
    ]
    for pairs in wrong { #expect(throws: PasskeyFault.self) { try PasskeyKey(map(pairs)) } }
    #expect(throws: PasskeyFault.self) { try PasskeyKey(.array([])) }
  }

  @Test("a point that is not on the curve verifies nothing, nor does a number out of range")
  func points() throws {
    let signature = Vector.bytes(Vector.es256.signature)
    #expect(!PasskeyKey.es256(x: Self.x, y: Self.x).verifies(signature, of: []))
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(!PasskeyKey.es256(x: zero, y: zero).verifies(signature, of: []))
    let key = try PasskeyKey(cose: Vector.bytes(Vector.es256.key))
    let ones: [UInt8] = [0] + [UInt8](repeating: 0xff, count: 32)
    let forms: [[UInt8]] = [
      [], [0x30], [0x30, 0], [0x30, 6, 2, 1, 0, 2, 1, 0], [0x30, 6, 2, 1, 1, 2, 1, 0], [0x30, 6, 2, 1, 0, 2, 1, 1],
      [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0], [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1], [0x31, 6, 2, 1, 1, 2, 1, 1],
      [0x30, 4, 2, 0, 2, 0], [0x30, 6, 2, 2, 1, 2, 1, 1], [0x30, 8, 2, 2, 0, 1, 2, 2, 0, 1],
      [0x30, 6, 2, 1, 0x81, 2, 1, 1],
      [0x30, 70, 2, 33] + ones + [2, 33] + ones, [0x30, 72, 2, 34] + [0] + ones + [2, 34] + [0] + ones,
    ]
    for form in forms { #expect(!key.verifies(form, of: []), "\(form)") }
  }
}
