import CNettle

/// HMAC-SHA256 (RFC 2104, RFC 6234).
package struct HMACSHA256: Sendable {
  private var context = hmac_sha256_ctx()

  package init(key: [UInt8]) { nettle_hmac_sha256_set_key(&context, key.count, key) }

  /// Adds a part of the message.
  package mutating func update(_ bytes: [UInt8]) { nettle_hmac_sha256_update(&context, bytes.count, bytes) }

  /// The code of the whole message, 32 bytes.
  package mutating func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { code, count in
      count = Int(SHA256_DIGEST_SIZE)
      nettle_hmac_sha256_digest(&context, count, code.baseAddress)
    }
  }
}

extension HMACSHA256: CustomReflectable {
  /// Nothing is shown: data derived from the key can sign as well as the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// HKDF with SHA-256 (RFC 5869): keys of several uses from one secret.
package enum HKDFSHA256 {
  /// The key for a use, without a salt, 32 bytes.
  ///
  /// - Parameter info: the name of the use.
  package static func key(from secret: [UInt8], info: String) -> [UInt8] {
    // Section 2.2: no salt is as many zeros as a digest has.
    key(from: secret, salt: [UInt8](repeating: 0, count: 32), info: Array(info.utf8))
  }

  /// The key for a use, 32 bytes; a caller may use only the first of them.
  package static func key(from secret: [UInt8], salt: [UInt8], info: [UInt8]) -> [UInt8] {
    code(key: code(key: salt, secret), info + [1])
  }

  private static func code(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update(message)
    return code.finish()
  }
}

/// True if two secrets of the same length are equal, in a time that does not reveal where they differ.
package func isEqualInConstantTime(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
  let (one, other) = (Array(one), Array(other))
  return one.count == other.count && nettle_memeql_sec(one, other, one.count) == 1
}
