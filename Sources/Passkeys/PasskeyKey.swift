import CSignatures
import Digests

/// The public key of a passkey (RFC 9053, RFC 8230).
package enum PasskeyKey: Hashable, Sendable {
  /// ECDSA with P-256 and SHA-256: the two coordinates of the point.
  case es256(x: [UInt8], y: [UInt8])
  case ed25519([UInt8])
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256(modulus: [UInt8], exponent: [UInt8])

  /// The algorithms by their numbers in COSE, the best first.
  package static let algorithms: [Int64] = [-7, -8, -257]

  /// The longest key, in bytes of COSE: RSA with 4096 bits.
  package static let longest = 600

  /// A key in the form of COSE.
  ///
  /// - Throws: ``PasskeyFault`` for a key of another algorithm, and for an invalid one.
  package init(cose bytes: [UInt8]) throws(PasskeyFault) { try self.init(CBORReader.value(bytes)) }

  init(_ value: CBORValue) throws(PasskeyFault) {
    let (type, algorithm, curve) = (value[.integer(1)], value[.integer(3)], value[.integer(-1)])
    let (first, second) = (value[.integer(-2)]?.bytes, value[.integer(-3)]?.bytes)
    switch (type, algorithm) {
    case (.integer(2), .integer(-7)):
      guard curve == .integer(1), let first, let second, first.count == 32, second.count == 32 else {
        throw PasskeyFault("the key is not a point of P-256")
      }
      self = .es256(x: first, y: second)
    case (.integer(1), .integer(-8)):
      guard curve == .integer(6), let first, first.count == 32 else { throw PasskeyFault("the key is not of Ed25519") }
      self = .ed25519(first)
    case (.integer(3), .integer(-257)):
      guard let modulus = curve?.bytes, let exponent = first, (256...512).contains(modulus.count), modulus[0] != 0,
        modulus[modulus.count - 1] & 1 == 1, (1...4).contains(exponent.count), exponent[0] != 0, exponent != [1],
        exponent[exponent.count - 1] & 1 == 1
      else { throw PasskeyFault("the key is not an RSA key of 2048 to 4096 bits") }
      self = .rs256(modulus: modulus, exponent: exponent)
    default: throw PasskeyFault("the key's algorithm is not one that Belfry asked for")
    }
  }

  /// True if a signature of a message was made with the private key.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    switch self {
    case .es256(let x, let y):
      guard let (r, s) = Self.numbers(der: signature) else { return false }
      return belfry_verify_p256(x, y, SHA256.digest(message), r, s) == 1
    case .ed25519(let key):
      return signature.count == 64 && belfry_verify_ed25519(key, message, message.count, signature) == 1
    case .rs256(let modulus, let exponent):
      guard signature.count == modulus.count else { return false }
      return belfry_verify_rsa(
        modulus, modulus.count, exponent, exponent.count, SHA256.digest(message), signature) == 1
    }
  }

  // Two numbers in DER, each of 32 bytes (RFC 3279, section 2.2.3).
  private static func numbers(der bytes: [UInt8]) -> (r: [UInt8], s: [UInt8])? {
    guard bytes.count >= 2, bytes[0] == 0x30, bytes[1] < 0x80, Int(bytes[1]) == bytes.count - 2 else { return nil }
    var rest = bytes[2...]
    guard let r = number(&rest), let s = number(&rest), rest.isEmpty else { return nil }
    return (r, s)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == 0x02, let length = rest.popFirst().map(Int.init), (1...33).contains(length),
      length <= rest.count
    else { return nil }
    var digits = rest.prefix(length)
    rest = rest.dropFirst(length)
    // The number must be positive, without a leading zero that is not needed.
    guard digits.first.map({ $0 < 0x80 }) == true else { return nil }
    if digits.first == 0, digits.count > 1 {
      digits = digits.dropFirst()
      guard digits.first.map({ $0 >= 0x80 }) == true else { return nil }
    }
    guard digits.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
