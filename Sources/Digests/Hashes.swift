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

/// SHA-1 (RFC 3174), for names only: it protects nothing.
package struct SHA1 {
  private var context = sha1_ctx()

  package init() { nettle_sha1_init(&context) }

  /// Adds a part of the message.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha1_update(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
  }

  /// Writes as many of the first bytes of the digest, 20 at most, as there is room for.
  package mutating func finish(into digest: UnsafeMutableRawBufferPointer) {
    nettle_sha1_digest(&context, min(digest.count, 20), digest.bindMemory(to: UInt8.self).baseAddress)
  }
}
