import ConfigKeys
import Digests
import FoundationEssentials

/// A signing secret of Standard Webhooks 1.0.0: `whsec_` and the base64 of 24 to 64 bytes.
struct SigningKey: Sendable {
  private let code: HMACSHA256

  /// The key of a secret; the prefix is optional.
  ///
  /// - Throws: ``ConfigProblem`` for an invalid secret.
  init(_ secret: Secret) throws(ConfigProblem) {
    let text = secret.revealed
    let encoded = text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text
    guard let bytes = Data(base64Encoded: encoded) else { throw ConfigProblem("it must be whsec_ followed by base64") }
    guard (24...64).contains(bytes.count) else {
      throw ConfigProblem("it has \(bytes.count) bytes, where Standard Webhooks asks for 24 to 64")
    }
    code = HMACSHA256(key: Array(bytes))
  }

  /// The signature of a message: `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`.
  func signature(id: String, timestamp: Int, body: [UInt8]) -> String {
    var code = code
    code.update(Array("\(id).\(timestamp).".utf8))
    code.update(body)
    return "v1,\(Data(code.finish()).base64EncodedString())"
  }
}
