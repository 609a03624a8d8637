import CNettle

/// SHA-256 (RFC 6234).
package enum SHA256 {
  /// The digest of a message, 32 bytes.
  package static func digest(_ message: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, message.count, message)
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { digest, count in
      count = Int(SHA256_DIGEST_SIZE)
      nettle_sha256_digest(&context, count, digest.baseAddress)
    }
  }
}
