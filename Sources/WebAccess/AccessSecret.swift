import Digests

/// A secret of 32 random bytes, which only its holder keeps: a token, a session or a sign-in link.
package enum AccessSecret {
  private static let length = 32
  private static let prefix = "bfy_"
  private static let checksumLength = 6

  /// A new secret as a text: 43 characters.
  static func make() -> String {
    var source = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &source) })
  }

  /// The SHA-256 of a secret, which is kept in its place.
  static func digest(_ text: some StringProtocol) -> String { Base64URL.encode(SHA256.digest(Array(text.utf8))) }

  /// True if two secrets are equal, in a time that reveals nothing about either.
  package static func areEqual(_ one: String, _ other: String) -> Bool {
    isEqualInConstantTime(SHA256.digest(Array(one.utf8)), SHA256.digest(Array(other.utf8)))
  }

  /// The text of a token: `bfy_`, the secret, and 6 characters that tell a mistyped or truncated token from a wrong
  /// one.
  static func token(_ secret: String) -> String { prefix + secret + checksum(prefix + secret) }

  /// The secret in a token's text; `nil` if it cannot be one.
  static func secret(inToken text: String) -> String? {
    let body = text.dropLast(checksumLength)
    guard text.hasPrefix(prefix), checksum(String(body)) == text.suffix(checksumLength),
      Base64URL.decode(body.dropFirst(prefix.count), count: length) != nil
    else { return nil }
    return String(body.dropFirst(prefix.count))
  }

  private static func checksum(_ text: String) -> String { String(digest(text).prefix(checksumLength)) }
}
