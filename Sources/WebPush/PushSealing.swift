import CWebPush
import Digests

/// The keys with which messages to one browser are encrypted (RFC 8291).
package struct PushRecipient: Hashable, Sendable {
  /// The browser's public key, 65 bytes.
  package let publicKey: [UInt8]
  /// The secret that authenticates messages to it, 16 bytes.
  package let secret: [UInt8]

  /// The keys of a subscription; `nil` if their lengths are wrong.
  package init?(publicKey: [UInt8], secret: [UInt8]) {
    guard publicKey.count == 65, secret.count == 16 else { return nil }
    (self.publicKey, self.secret) = (publicKey, secret)
  }

  /// A message as `aes128gcm` encodes it, in one record (RFC 8188); `nil` if it is too long, or the public key is not a
  /// point of P-256.
  ///
  /// - Parameter message: at most ``longestMessage`` bytes.
  package func sealed(_ message: [UInt8]) -> [UInt8]? {
    PushKey.make().flatMap { sealed(message, by: $0, salt: randomBytes(16)) }
  }

  /// The longest message that every push service accepts (RFC 8291, section 4).
  package static let longestMessage = recordSize - 16 - 1 - 86

  private static let recordSize = 4_096

  /// - Parameters:
  ///   - key: an ephemeral key, used for this message only.
  ///   - salt: 16 random bytes, used for this message only.
  func sealed(_ message: [UInt8], by key: PushKey, salt: [UInt8]) -> [UInt8]? {
    guard message.count <= Self.longestMessage, let shared = key.sharedSecret(with: publicKey) else { return nil }
    let info = Array("WebPush: info\0".utf8) + publicKey + key.publicKey
    let secret = HKDFSHA256.key(from: shared, salt: secret, info: info)
    let contentKey = HKDFSHA256.key(from: secret, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8))
    let nonce = HKDFSHA256.key(from: secret, salt: salt, info: Array("Content-Encoding: nonce\0".utf8))
    // The last record ends with 2 (RFC 8188, section 2).
    let text = message + [2]
    let sealed = [UInt8](unsafeUninitializedCapacity: text.count + 16) { sealed, count in
      belfry_aes128gcm_seal(contentKey, nonce, text, text.count, sealed.baseAddress)
      count = text.count + 16
    }
    let size = (0..<4).map { UInt8(truncatingIfNeeded: Self.recordSize >> (24 - 8 * $0)) }
    return salt + size + [UInt8(key.publicKey.count)] + key.publicKey + sealed
  }
}
