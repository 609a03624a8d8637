import CWebPush
import Digests
import WebPush

/// A browser that subscribed: it opens what was sealed for it.
package struct PushBrowser: Sendable {
  private let key = PushKey.make()
  /// The secret that authenticates messages to it.
  package let secret = randomBytes(16)

  package init() {}

  package var publicKey: [UInt8] { key?.publicKey ?? [] }

  /// A sealed message in one record, opened (RFC 8291); `nil` for one that is not for it.
  package func opened(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= 103, sealed[20] == 65 else { return nil }
    let (salt, sender, record) = (Array(sealed[..<16]), Array(sealed[21..<86]), Array(sealed[86...]))
    guard let shared = key?.sharedSecret(with: sender) else { return nil }
    let whole = HKDFSHA256.key(from: shared, salt: secret, info: Array("WebPush: info\0".utf8) + publicKey + sender)
    let content = HKDFSHA256.key(from: whole, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8))
    let nonce = HKDFSHA256.key(from: whole, salt: salt, info: Array("Content-Encoding: nonce\0".utf8))
    // A counter mode undoes itself; the result is the same only with the same tag.
    let text = Self.sealed(Array(record.dropLast(16)), content, nonce).dropLast(16)
    guard Self.sealed(Array(text), content, nonce) == record, text.last == 2 else { return nil }
    return Array(text.dropLast())
  }

  private static func sealed(_ text: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: text.count + 16) { bytes, count in
      count = text.count + 16
      guard let start = bytes.baseAddress else { return }
      belfry_aes128gcm_seal(key, nonce, text, text.count, start)
    }
  }
}
