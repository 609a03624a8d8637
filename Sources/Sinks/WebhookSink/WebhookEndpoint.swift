import BelfryModel
import ConfigKeys
import FoundationEssentials
import MessageText
import Transport

/// Where a webhook goes, and how.
public struct WebhookEndpoint: Sendable {
  /// How we prove who we are, in the field `Authorization`.
  public enum Authentication: Sendable {
    /// A user name and a password (RFC 7617).
    case basic(username: String, password: SecretSource)
    /// A token (RFC 6750).
    case bearer(SecretSource)
    /// The whole field.
    case field(SecretSource)
  }

  /// The URL, which is a secret.
  public var url: SecretSource
  /// How the body looks.
  public var format = WebhookFormat.standard
  /// The media type of the body.
  public var contentType = "application/json"
  /// The body of ``WebhookFormat/template``.
  public var template: Template?
  /// What is signed with; several while they are replaced.
  public var signing: [SecretSource] = []
  /// The user's own header fields.
  public var fields: [HTTPField] = []
  /// How we prove who we are.
  public var authentication: Authentication?
  /// How long a transfer may take, and whom to trust.
  public var options = TransferOptions()
  /// How many attempts may be under way at once.
  public var concurrency = 16

  /// An endpoint that gets the contract's own body.
  public init(url: SecretSource) { self.url = url }
}

/// The secrets of an endpoint as they are at one attempt.
struct WebhookAccess: Sendable {
  let url: ServerURL
  let keys: [SigningKey]
  let authorization: String?
  private let secrets: [Secret]

  /// Reads them.
  ///
  /// - Throws: ``BelfryError`` that names what cannot be read, never what is in it.
  init(_ endpoint: WebhookEndpoint) throws(BelfryError) {
    let address = try endpoint.url.read()
    url = try Self.using(endpoint.url) { () throws(ConfigProblem) in
      try ServerURL(address.revealed, schemes: WebhookEndpoint.schemes)
    }
    var secrets = url.secrets + [address]
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
      // `Bearer abc`: the part after the scheme is what must not be seen alone either.
      secrets += [value] + value.revealed.split(separator: " ").dropFirst().map { Secret(String($0)) }
    }
    self.secrets = secrets
  }

  /// What takes the secrets out of a text, and those of who sends.
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
  /// Never the secrets.
  var description: String { Secret.placeholder }
  /// Nothing to look into.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension WebhookEndpoint {
  /// What the URL may start with.
  static let schemes = ["http", "https"]

  /// Whether every secret stands in the config, so that none changes.
  var isFixed: Bool {
    let proof: SecretSource? =
      switch authentication {
      case .none: nil
      case .basic(_, let source), .bearer(let source), .field(let source): source
      }
    return url.isFixed && signing.allSatisfy(\.isFixed) && proof?.isFixed != false
  }
}
