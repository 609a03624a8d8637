import BelfryModel
import Digests
import FoundationEssentials

/// The keys that sign tokens: the newest signs, all verify.
package struct KeyRing: Sendable {
  package struct Key: Sendable {
    static let length = 32
    static let numbers: ClosedRange<UInt8> = 0...31

    /// The number that its tokens name.
    package let number: UInt8
    /// The time at which it began to sign.
    package let madeAt: Date
    /// The time at which the last of its tokens expires; `nil` for the key that signs.
    package let expiresAt: Date?
    let secret: [UInt8]
  }

  static let maximumKeys = 32

  /// The keys before the newest, the oldest first.
  let older: [Key]
  let newest: Key

  /// The number of the key that signs, which a delivery keeps so that each of its attempts carries the same tokens.
  package var signingKey: UInt8 { newest.number }

  /// All keys, the oldest first.
  package var keys: [Key] { older + [newest] }

  package var count: Int { older.count + 1 }

  /// A digest that is the same for rings of the same keys, and reveals nothing about them.
  package var fingerprint: String {
    Base64URL.encode(SHA256.digest(keys.flatMap { [$0.number] + $0.secret }))
  }

  private func key(_ number: UInt8) -> Key? { newest.number == number ? newest : older.first { $0.number == number } }
}

/// The reason why a token is not accepted.
package enum TokenRefusal: Error, Hashable {
  /// It was never issued for this use, or its key is gone. The two cases cannot be distinguished.
  case bad
  /// It was issued, and has expired.
  case expired(AnswerToken)
}

extension KeyRing {
  /// The text of a token, 54 characters.
  ///
  /// - Parameter number: the key that the delivery was first signed with; if it is gone, the newest signs.
  package func sign(_ token: AnswerToken, for use: TokenUse, key number: UInt8? = nil) -> String {
    let key = number.flatMap(key) ?? newest
    let content = token.content(keyNumber: key.number)
    return Base64URL.encode(content + key.code(of: content, for: use))
  }

  /// The text of a token, signed by the key that another text was signed with.
  package func sign(_ token: AnswerToken, for use: TokenUse, as text: String) -> String {
    sign(token, for: use, key: Base64URL.decode(text, count: AnswerToken.length).map { AnswerToken.keyNumber($0[...]) })
  }

  /// Verifies the text of a token, and returns its content.
  ///
  /// It does the same work for every text of a token's length, so that its duration reveals nothing about the keys.
  ///
  /// - Throws: ``TokenRefusal``.
  package func verify(_ text: String, for use: TokenUse, at now: Date) throws(TokenRefusal) -> AnswerToken {
    let decoded = Base64URL.decode(text, count: AnswerToken.length)
    let bytes = decoded ?? [UInt8](repeating: 0, count: AnswerToken.length)
    let content = bytes.prefix(AnswerToken.contentLength)
    let key = key(AnswerToken.keyNumber(content))
    let code = (key ?? newest).code(of: Array(content), for: use)
    let isRight = isEqualInConstantTime(code, bytes.dropFirst(AnswerToken.contentLength))
    guard isRight, decoded != nil, key != nil, let token = AnswerToken(content: content) else { throw .bad }
    guard now < token.expiry.date else { throw .expired(token) }
    return token
  }
}

extension KeyRing.Key {
  fileprivate func code(of content: [UInt8], for use: TokenUse) -> ArraySlice<UInt8> {
    var code = HMACSHA256(key: HKDFSHA256.key(from: secret, info: use.words))
    code.update(content)
    return code.finish().prefix(AnswerToken.codeLength)
  }
}

extension KeyRing.Key: CustomStringConvertible, CustomReflectable {
  package var description: String { "key \(number)" }
  /// A mirror without children, so that a dump shows no secret.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
  /// The number of keys, without their secrets.
  package var description: String { counted(count, "key") }
  /// A mirror without children, so that a dump shows no secret.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
