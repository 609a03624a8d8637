/// How a webhook's body looks.
public enum WebhookFormat: String, CaseIterable, Hashable, Sendable {
  /// The contract's own body, after Standard Webhooks.
  case standard
  /// A message of Slack's incoming webhooks.
  case slack
  /// A message of Discord's webhooks.
  case discord
  /// A message published to an ntfy server as JSON.
  case ntfy
  /// What the user's template says.
  case template

  /// Whether a receiver of this format looks at a signature.
  var isSigned: Bool { self == .standard || self == .template }
}
