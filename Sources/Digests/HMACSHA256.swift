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
  /// Nothing to look into: what is made of the key can sign as well as the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
