import BelfryModel
import ConfigKeys
import FoundationEssentials
import MessageText
import Transport

/// The URL, format and credentials of a webhook.
package struct WebhookEndpoint: Sendable {
  /// The content of the field `Authorization`.
  package enum Authentication: Sendable {
    /// A user name and a password (RFC 7617).
    case basic(username: String, password: SecretSource)
    /// A bearer token (RFC 6750).
    case bearer(SecretSource)
    /// The whole value.
    case field(SecretSource)
  }

  /// The URL, which is a secret.
  var url: SecretSource
  /// The format of the body.
  package var format = WebhookFormat.standard
  /// The media type of the body.
  var contentType = "application/json"
  /// The template of the body, for ``WebhookFormat/template``.
  package var template: Template?
  /// The signing secrets; several during a key rotation.
  package var signing: [SecretSource] = []
  /// The user's own header fields.
  var fields: [HTTPField] = []
  package var authentication: Authentication?
  /// The timeout and certificates of a transfer.
  package var options = TransferOptions()
  /// The most concurrent attempts.
  var concurrency = 16
  /// The URL of the topic over which answers come back, a secret; for ``WebhookFormat/ntfy``.
  package var replyTopic: SecretSource?

  /// An endpoint with the default format and no credentials.
  package init(url: SecretSource) { self.url = url }
}

/// The secrets of an endpoint, read for one attempt.
struct WebhookAccess: Sendable {
  let url: ServerURL
  let replyTopic: NtfyTopic?
  let keys: [SigningKey]
  let authorization: String?
  private let secrets: [Secret]

  /// Reads the secrets.
  ///
  /// - Throws: ``BelfryError`` that names the source which cannot be read or used, without its content.
  init(_ endpoint: WebhookEndpoint) throws(BelfryError) {
    let address = try endpoint.url.read()
    url = try Self.using(endpoint.url) { () throws(ConfigProblem) in
      try ServerURL(address.revealed, schemes: WebhookEndpoint.schemes)
    }
    var secrets = url.secrets + [address]
    replyTopic = try endpoint.replyTopic.map { source throws(BelfryError) in
      let topic = try source.read()
      let address = try Self.using(source) { () throws(ConfigProblem) in
        try ServerURL(topic.revealed, schemes: WebhookEndpoint.schemes)
      }
      secrets += address.secrets + [topic]
      return try Self.using(source) { () throws(ConfigProblem) in try NtfyTopic(ofReplies: address) }
    }
    var keys: [SigningKey] = []
    for source in endpoint.signing {
      let secret = try source.read()
      keys.append(try Self.using(source) { () throws(ConfigProblem) in try SigningKey(secret) })
      secrets += [secret, Secret(secret.revealed.hasPrefix("whsec_") ? String(secret.revealed.dropFirst(6)) : "")]
    }
    self.keys = keys
    switch endpoint.authentication {
    case .none: authorization = nil
    case .basic(let username, let source):
      let password = try source.read()
      let proof = Data("\(username):\(password.revealed)".utf8).base64EncodedString()
      authorization = "Basic \(proof)"
      secrets += [password, Secret(proof)]
    case .bearer(let source):
      let token = try source.read()
      authorization = "Bearer \(token.revealed)"
      secrets.append(token)
    case .field(let source):
      let value = try source.read()
      authorization = value.revealed
      // In `Bearer abc` the part after the scheme is also a secret on its own.
      secrets += [value] + value.revealed.split(separator: " ").dropFirst().map { Secret(String($0)) }
    }
    self.secrets = secrets
  }

  func redaction(and others: [Secret]) -> Redaction { Redaction(secrets + others) }

  private static func using<Value>(
    _ source: SecretSource, _ make: () throws(ConfigProblem) -> Value
  ) throws(BelfryError) -> Value {
    do throws(ConfigProblem) {
      return try make()
    } catch {
      throw BelfryError(.badConfig, "\(source) cannot be used: \(error.message)")
    }
  }
}

extension WebhookAccess: CustomStringConvertible, CustomReflectable {
  var description: String { Secret.placeholder }
  /// A mirror without children, so that dumping it shows no secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension WebhookEndpoint {
  /// The allowed schemes of the URL.
  static let schemes = ["http", "https"]

  /// True if every secret is written in the config itself; none can then change while the config is loaded.
  var isFixed: Bool {
    let proof: SecretSource? =
      switch authentication {
      case .none: nil
      case .basic(_, let source), .bearer(let source), .field(let source): source
      }
    return url.isFixed && signing.allSatisfy(\.isFixed) && proof?.isFixed != false && replyTopic?.isFixed != false
  }
}
