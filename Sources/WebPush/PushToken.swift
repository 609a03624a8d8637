import Digests
import OrderedJSON

/// A VAPID token (RFC 8292): a signed JWT that identifies the sender to a push service. Subscriptions are tied to the
/// public key.
package struct PushToken {
  /// The life of a token, in seconds: half of the longest that the RFC permits.
  package static let life: Int64 = 43_200

  /// The token, a JSON Web Token with ES256.
  package let text: String
  private let publicKey: String

  /// A token; `nil` if the key cannot sign.
  ///
  /// - Parameters:
  ///   - origin: the push service's scheme, host and port.
  ///   - contact: the URL by which the operator of a push service reaches the sender, `https:` or `mailto:`.
  ///   - now: seconds since 1970.
  package init?(for origin: String, from contact: String?, at now: Int64, key: PushKey) {
    var claims: JSONObject = ["aud": .string(origin), "exp": .integer(now + Self.life)]
    if let contact { claims["sub"] = .string(contact) }
    let parts = [["typ": "JWT", "alg": "ES256"] as JSONObject, claims].map { part in
      Base64URL.encode(Array(JSONValue.object(part).serialized().utf8))
    }
    let signed = parts.joined(separator: ".")
    guard let signature = key.signature(of: SHA256.digest(Array(signed.utf8))) else { return nil }
    text = "\(signed).\(Base64URL.encode(signature))"
    publicKey = Base64URL.encode(key.publicKey)
  }

  /// The value of the field `Authorization`.
  package var authorization: String { "vapid t=\(text),k=\(publicKey)" }
}
