import CNettle

/// SHA-1 (RFC 3174), for names only: it protects nothing.
package struct SHA1 {
  private var context = sha1_ctx()

  package init() { nettle_sha1_init(&context) }

  /// Adds a part of the message.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha1_update(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
  }

  /// Writes the first bytes of the digest, 20 at most, as many as there is room for.
  package mutating func finish(into digest: UnsafeMutableRawBufferPointer) {
    nettle_sha1_digest(&context, min(digest.count, 20), digest.bindMemory(to: UInt8.self).baseAddress)
  }
}
